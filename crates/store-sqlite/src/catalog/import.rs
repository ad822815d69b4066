//! Imports variants and prices into the catalog.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use pressline_domain::catalog::{ImportOptions, ImportSummary};
use pressline_domain::error::Result;
use pressline_store_kit::{
    CancelGuard, Db, ImportPlan, ImportRow, ImportRows, ImportTable, ImportTarget, PriceKey,
    PriceRow, VariantRow, Write, blocking,
};

use super::next_rows::{end_price, retire_variant, write_prices, write_variants};
use super::staging::{Staging, WAIT, generation};
use crate::SqliteStore;
use crate::connection::{Opener, Purpose};
use crate::dialect::DIALECT;
use crate::error::{Failure, repository};

/// Compares the rows on a connection that reads. The write lock, for which orders wait, is taken
/// only for portions of changed rows, and never if nothing changes.
#[async_trait]
impl<R> ImportRows<R> for SqliteStore
where
    R: ImportRow + Send + 'static,
    for<'c> Db<'c>: ImportTable<R>,
    Staging: ImportTarget<R>,
{
    async fn import(&self, plan: ImportPlan<R>, options: ImportOptions) -> Result<ImportSummary> {
        let opener = Arc::clone(&self.opener);
        // Dropped if the caller stops waiting, which cancels the import.
        let guard = CancelGuard::default();
        let token = guard.token();
        blocking(move || {
            let compare = || {
                in_snapshot(&opener, |reader| {
                    let mut db = Db::new(reader, &DIALECT);
                    R::compare(&plan, &mut db, &options, &token)
                })
            };
            let (seen, mut changes) = compare()?;
            if options.dry_run || changes.is_empty() {
                return Ok(changes.imported);
            }
            let mut staging = Staging::begin(&opener, &token)?;
            // Another import was published in between. From here on none can.
            if staging.generation() != seen {
                changes = compare()?.1;
            }
            if !changes.is_empty() {
                changes
                    .write(&mut staging, &options, &token)
                    .map_err(repository)?;
                staging.publish()?;
            }
            Ok(changes.imported)
        })
        .await
    }
}

/// Returns the generation of the snapshot, and the result of `read`.
fn in_snapshot<T>(
    opener: &Opener,
    read: impl FnOnce(&mut SqliteConnection) -> Result<T, Failure>,
) -> Result<(i64, T)> {
    // A connection outside the pool, because comparing may take longer than a request may.
    let mut reader = opener.open(Purpose::Read)?;
    reader
        .transaction(|reader| Ok::<_, Failure>((generation(reader)?, read(reader)?)))
        .map_err(repository)
}

/// Uses a new connection: on the connection that writes orders, orders would wait meanwhile.
pub(crate) fn change_alone<T>(
    opener: &Opener,
    work: impl FnOnce(&mut SqliteConnection) -> Result<T, Failure>,
) -> Result<T> {
    let mut connection = opener.open_waiting(Purpose::Write, WAIT)?;
    connection.immediate_transaction(work).map_err(repository)
}

impl ImportTarget<VariantRow> for Staging {
    fn write(&mut self, writes: &[Write<VariantRow>]) -> Result<(), Failure> {
        self.portions(writes, write_variants)
    }

    fn retire(&mut self, skus: &[String]) -> Result<(), Failure> {
        self.portions(skus, |connection, skus, next| {
            skus.iter()
                .try_for_each(|sku| retire_variant(connection, sku, next))
        })
    }
}

impl ImportTarget<PriceRow> for Staging {
    fn write(&mut self, writes: &[Write<PriceRow>]) -> Result<(), Failure> {
        self.portions(writes, |connection, writes, next| {
            Ok(write_prices(connection, writes, next)?)
        })
    }

    fn retire(&mut self, keys: &[PriceKey]) -> Result<(), Failure> {
        self.portions(keys, |connection, keys, next| {
            keys.iter()
                .try_for_each(|key| Ok(end_price(connection, key, next)?))
        })
    }
}
