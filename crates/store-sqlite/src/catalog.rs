//! Products in SQLite.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use pressline_domain::catalog::{CatalogVersion, Product};
use pressline_domain::ports::{Catalog, ImportCount, Products, RepositoryError};
use pressline_store_rows::schema::{catalog_version, products};
use pressline_store_rows::{ImportPlan, ProductRow};

use crate::SqliteStore;
use crate::error::Failure;

#[async_trait]
impl Catalog for SqliteStore {
    async fn products(&self, skus: &[&str]) -> Result<Products, RepositoryError> {
        let skus: Vec<String> = skus.iter().map(|sku| (*sku).to_owned()).collect();
        let (version, rows) = self
            .readers
            .call(move |connection| {
                Ok(connection.transaction(|connection| {
                    let version = version(connection)?;
                    QueryResult::Ok((version, rows_of(connection, skus.iter().map(String::as_str))?))
                })?)
            })
            .await?;
        let known = rows.into_iter().map(ProductRow::restore).collect::<Result<_, _>>()?;
        Ok(Products { version: CatalogVersion(version), known })
    }

    async fn suggest(&self, sku: &str, limit: usize) -> Result<Vec<String>, RepositoryError> {
        let (sku, known) = (sku.to_owned(), Arc::clone(&self.skus));
        self.readers
            .call(move |connection| {
                let all = || Ok(products::table.select(products::sku).load(connection)?);
                known.suggest(&sku, limit, all)
            })
            .await
    }

    async fn import(&self, products: &[Product]) -> Result<ImportCount, RepositoryError> {
        let incoming = ImportPlan::incoming(products)?;
        let count =
            self.writer.alone(move |writer| writer.run(|connection| import(connection, incoming))).await?;
        self.skus.forget();
        Ok(count)
    }
}

/// The state of the catalog.
pub(crate) fn version(connection: &mut SqliteConnection) -> QueryResult<i64> {
    catalog_version::table.select(catalog_version::version).first(connection)
}

/// One look-up a SKU, as the statement is prepared and nothing travels.
fn rows_of<'a>(
    connection: &mut SqliteConnection,
    skus: impl Iterator<Item = &'a str>,
) -> QueryResult<Vec<ProductRow>> {
    let mut rows = Vec::new();
    for sku in skus {
        rows.extend(products::table.find(sku).select(ProductRow::as_select()).first(connection).optional()?);
    }
    Ok(rows)
}

fn import(connection: &mut SqliteConnection, incoming: Vec<ProductRow>) -> Result<ImportCount, Failure> {
    connection.immediate_transaction(|connection| {
        let existing = rows_of(connection, incoming.iter().map(|row| row.sku.as_str()))?;
        let plan = ImportPlan::new(incoming, existing);
        for row in &plan.rows {
            diesel::insert_into(products::table)
                .values(row)
                .on_conflict(products::sku)
                .do_update()
                .set(row)
                .execute(connection)?;
        }
        if !plan.rows.is_empty() {
            diesel::update(catalog_version::table)
                .set(catalog_version::version.eq(catalog_version::version + 1))
                .execute(connection)?;
        }
        Ok(plan.count)
    })
}
