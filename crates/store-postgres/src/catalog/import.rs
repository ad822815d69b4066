//! Imports variants and prices into the catalog.

use async_trait::async_trait;
use diesel::connection::Connection as _;
use diesel::pg::PgConnection;
use pressline_domain::catalog::{ImportOptions, ImportSummary};
use pressline_domain::error::Result;
use pressline_store_kit::{
    CancelGuard, Db, ImportPlan, ImportRow, ImportRows, ImportTable, ImportTarget, PriceKey,
    PriceRow, Sql, VariantRow, Write,
};

use crate::arrays::{Kind, array, rows, run};
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

static WRITE_VARIANTS: Sql = Sql::new(include_str!("sql/write_variants.sql"));
static WRITE_PRICES: Sql = Sql::new(include_str!("sql/write_prices.sql"));
static RETIRE: Sql = Sql::new("UPDATE products SET retired = true WHERE sku = ANY(:skus)");

impl ImportTarget<VariantRow> for Tables<'_> {
    fn write(&mut self, writes: &[Write<VariantRow>]) -> Result<(), Failure> {
        if writes.is_empty() {
            return Ok(());
        }
        let joined = |write: &Write<VariantRow>| Ok(words::joined(&write.row.words()?));
        let words = writes
            .iter()
            .map(joined)
            .collect::<Result<Vec<_>, Failure>>()?;
        let values = [
            ("variants", rows(writes.iter().map(|write| &write.row))),
            ("words", array(Kind::Text, &words)),
        ];
        run(self.0, &WRITE_VARIANTS, &values)?;
        Ok(())
    }

    fn retire(&mut self, skus: &[String]) -> Result<(), Failure> {
        run(self.0, &RETIRE, &[("skus", array(Kind::Text, skus))])?;
        Ok(())
    }
}

impl ImportTarget<PriceRow> for Tables<'_> {
    fn write(&mut self, writes: &[Write<PriceRow>]) -> Result<(), Failure> {
        if writes.is_empty() {
            return Ok(());
        }
        let prices = rows(writes.iter().map(|write| &write.row));
        run(self.0, &WRITE_PRICES, &[("prices", prices)])?;
        Ok(())
    }

    fn retire(&mut self, keys: &[PriceKey]) -> Result<(), Failure> {
        Db::new(self.0, &DIALECT).delete_prices(keys)
    }
}
