//! Imports variants and prices into the catalog.

use async_trait::async_trait;
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::AstPass;
use diesel::sql_types::{Array, Text};
use pressline_domain::catalog::{ImportOptions, ImportSummary};
use pressline_domain::error::Result;
use pressline_store_kit::schema::products;
use pressline_store_kit::{
    CancelGuard, Db, ImportPlan, ImportRow, ImportRows, ImportTable, ImportTarget, Parameters,
    PriceKey, PriceRow, SqlText, VariantRow, Write, statement_text, unknown_parameter,
};

use crate::columns::{PriceColumns, VariantColumns};
use crate::dialect::DIALECT;
use crate::error::Failure;
use crate::session::without_time_limit;
use crate::{PostgresStore, words};

struct Tables<'c>(&'c mut PgConnection);

/// Imports in a single transaction.
#[async_trait]
impl<R> ImportRows<R> for PostgresStore
where
    R: ImportRow + Send + 'static,
    for<'c> Db<'c>: ImportTable<R>,
    for<'c> Tables<'c>: ImportTarget<R>,
{
    async fn import(&self, plan: ImportPlan<R>, options: ImportOptions) -> Result<ImportSummary> {
        // Dropped if the caller stops waiting, which cancels the import.
        let guard = CancelGuard::default();
        let token = guard.token();
        let import = move |connection: &mut PgConnection| {
            if options.dry_run {
                // One snapshot, and no lock that other transactions would wait for.
                let mut transaction = connection.build_transaction().repeatable_read().read_only();
                let changes = transaction.run(|connection| {
                    let mut db = Db::new(connection, &DIALECT);
                    R::compare(&plan, &mut db, &options, &token)
                })?;
                return Ok(changes.imported);
            }
            connection.transaction(|connection| {
                without_time_limit(connection)?;
                let mut db = Db::new(connection, &DIALECT);
                db.lock_catalog()?;
                let changes = R::compare(&plan, &mut db, &options, &token)?;
                changes.write(&mut Tables(connection), &options, &token)?;
                // Servers that cache the catalog read it again if its version has changed.
                if !changes.is_empty() {
                    Db::new(connection, &DIALECT).count_catalog_version()?;
                }
                Ok(changes.imported)
            })
        };
        self.pool.call_outside(import).await
    }
}

impl ImportTarget<VariantRow> for Tables<'_> {
    fn write(&mut self, writes: &[Write<VariantRow>]) -> Result<(), Failure> {
        let words = |write: &Write<VariantRow>| Ok(words::joined(&write.row.words()?));
        WriteVariants {
            columns: VariantColumns::of(writes.iter().map(|write| &write.row)),
            words: writes.iter().map(words).collect::<Result<_, Failure>>()?,
        }
        .execute(self.0)?;
        Ok(())
    }

    fn retire(&mut self, skus: &[String]) -> Result<(), Failure> {
        let retiring = products::table.filter(products::sku.eq_any(skus));
        diesel::update(retiring)
            .set(products::retired.eq(true))
            .execute(self.0)?;
        Ok(())
    }
}

impl ImportTarget<PriceRow> for Tables<'_> {
    fn write(&mut self, writes: &[Write<PriceRow>]) -> Result<(), Failure> {
        WritePrices(PriceColumns::of(writes.iter().map(|write| &write.row))).execute(self.0)?;
        Ok(())
    }

    fn retire(&mut self, keys: &[PriceKey]) -> Result<(), Failure> {
        Db::new(self.0, &DIALECT).delete_prices(keys)
    }
}

struct WriteVariants<'a> {
    columns: VariantColumns<'a>,
    words: Vec<String>,
}

impl Parameters<Pg> for WriteVariants<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match name {
            "variants" => self.columns.push(out),
            "words" => out.push_bind_param::<Array<Text>, _>(&self.words),
            _ => Err(unknown_parameter(name)),
        }
    }
}

struct WritePrices<'a>(PriceColumns<'a>);

impl Parameters<Pg> for WritePrices<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match name {
            "prices" => self.0.push(out),
            _ => Err(unknown_parameter(name)),
        }
    }
}

statement_text!(
    WriteVariants<'_>,
    WriteVariants<'static>,
    Pg,
    (),
    SqlText::new(include_str!("sql/write_variants.sql"), &[])
);
statement_text!(
    WritePrices<'_>,
    WritePrices<'static>,
    Pg,
    (),
    SqlText::new(include_str!("sql/write_prices.sql"), &[])
);
