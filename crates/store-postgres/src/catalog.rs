//! Products in PostgreSQL.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use pressline_domain::catalog::{CatalogVersion, Product};
use pressline_domain::ports::{Catalog, ImportCount, Products, RepositoryError};
use pressline_store_rows::schema::{catalog_version, products};
use pressline_store_rows::{ImportPlan, ProductRow};

use crate::PostgresStore;
use crate::columns::{ProductColumns, WriteProducts};
use crate::error::Failure;

/// Products that one statement of an import takes, so that no message to the server gets too large.
const CHUNK: usize = 1000;

#[async_trait]
impl Catalog for PostgresStore {
    async fn products(&self, skus: &[&str]) -> Result<Products, RepositoryError> {
        let skus: Vec<String> = skus.iter().map(|sku| (*sku).to_owned()).collect();
        let rows = self.pool.call(move |connection, _| Ok(with_version(connection, &skus)?)).await?;
        let Some(version) = rows.first().map(|(version, _)| CatalogVersion(*version)) else {
            return Err(RepositoryError::Refused("the catalog has no version".into()));
        };
        let known =
            rows.into_iter().filter_map(|(_, row)| row).map(ProductRow::restore).collect::<Result<_, _>>()?;
        Ok(Products { version, known })
    }

    async fn suggest(&self, sku: &str, limit: usize) -> Result<Vec<String>, RepositoryError> {
        let (sku, known) = (sku.to_owned(), Arc::clone(&self.skus));
        self.pool
            .call(move |connection, _| {
                let all = || Ok(products::table.select(products::sku).load(connection)?);
                known.suggest(&sku, limit, all)
            })
            .await
    }

    async fn import(&self, products: &[Product]) -> Result<ImportCount, RepositoryError> {
        let incoming = ImportPlan::incoming(products)?;
        let count = self.pool.call(move |connection, _| import(connection, &incoming)).await?;
        self.skus.forget();
        Ok(count)
    }
}

/// The version of the catalog with each of the products, or alone where there is none of them: one statement, which
/// sees one state.
fn with_version(
    connection: &mut PgConnection,
    skus: &[String],
) -> QueryResult<Vec<(i64, Option<ProductRow>)>> {
    catalog_version::table
        .left_join(products::table.on(products::sku.eq_any(skus)))
        .select((catalog_version::version, Option::<ProductRow>::as_select()))
        .load(connection)
}

fn rows_of(connection: &mut PgConnection, skus: &[String]) -> QueryResult<Vec<ProductRow>> {
    products::table.filter(products::sku.eq_any(skus)).select(ProductRow::as_select()).load(connection)
}

fn import(connection: &mut PgConnection, incoming: &[ProductRow]) -> Result<ImportCount, Failure> {
    connection.transaction(|connection| {
        let mut count = ImportCount::default();
        for chunk in incoming.chunks(CHUNK) {
            let skus: Vec<String> = chunk.iter().map(|row| row.sku.clone()).collect();
            let plan = ImportPlan::new(chunk.to_vec(), rows_of(connection, &skus)?);
            if !plan.rows.is_empty() {
                WriteProducts(ProductColumns::of(&plan.rows)).execute(connection)?;
            }
            count.added += plan.count.added;
            count.changed += plan.count.changed;
            count.unchanged += plan.count.unchanged;
        }
        if count.added + count.changed > 0 {
            diesel::update(catalog_version::table)
                .set(catalog_version::version.eq(catalog_version::version + 1))
                .execute(connection)?;
        }
        Ok(count)
    })
}
