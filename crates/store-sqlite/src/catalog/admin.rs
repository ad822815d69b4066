//! The catalog in SQLite, as imports and exports use it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use pressline_domain::catalog::{CatalogAdmin, ImportOptions, Imported, ListPrice, Variant};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::StoreId;
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates};
use pressline_store_kit::{
    CancelGuard, CatalogTables, ImportPlan, blocking, fee_documents, shipping_document,
};

use super::import::Import;
use super::version;
use crate::SqliteStore;
use crate::connection::{Opener, Purpose};
use crate::error::Failure;

#[async_trait]
impl CatalogAdmin for SqliteStore {
    #[tracing::instrument(name = "db.catalog.import", level = "debug", skip_all)]
    async fn import(
        &self,
        variants: &[Variant],
        options: &ImportOptions,
    ) -> Result<Imported, RepositoryError> {
        let imported = self
            .import_rows(ImportPlan::of_variants(variants)?, options)
            .await?;
        self.skus.forget();
        Ok(imported)
    }

    #[tracing::instrument(name = "db.catalog.variants", level = "debug", skip_all)]
    async fn variants(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Variant>, RepositoryError> {
        let after = after.map(str::to_owned);
        self.readers
            .call(move |connection| CatalogTables(connection).variants(after.as_deref(), limit))
            .await
    }

    #[tracing::instrument(name = "db.catalog.set_prices", level = "debug", skip_all)]
    async fn set_prices(
        &self,
        prices: &[ListPrice],
        options: &ImportOptions,
    ) -> Result<Imported, RepositoryError> {
        self.import_rows(ImportPlan::of_prices(prices), options)
            .await
    }

    #[tracing::instrument(name = "db.catalog.prices", level = "debug", skip_all)]
    async fn prices(&self) -> Result<Vec<ListPrice>, RepositoryError> {
        self.readers
            .call(|connection| CatalogTables(connection).prices())
            .await
    }

    #[tracing::instrument(name = "db.catalog.set_shipping", level = "debug", skip_all)]
    async fn set_shipping(&self, rates: &ShippingRates) -> Result<bool, RepositoryError> {
        let document = shipping_document(rates)?;
        self.change(move |connection| {
            let changes = CatalogTables(connection).set_shipping(&document)?;
            Ok((changes, changes))
        })
        .await
    }

    #[tracing::instrument(name = "db.catalog.set_fees", level = "debug", skip_all)]
    async fn set_fees(
        &self,
        schedules: &[(Option<StoreId>, Option<&FeeSchedule>)],
    ) -> Result<usize, RepositoryError> {
        let documents = fee_documents(schedules)?;
        self.change(move |connection| {
            let changed = CatalogTables(connection).set_fees(&documents)?;
            Ok((changed > 0, changed))
        })
        .await
    }

    #[tracing::instrument(name = "db.catalog.shipping", level = "debug", skip_all)]
    async fn shipping(&self) -> Result<Option<ShippingRates>, RepositoryError> {
        self.readers
            .call(|connection| CatalogTables(connection).shipping())
            .await
    }

    #[tracing::instrument(name = "db.catalog.fees", level = "debug", skip_all)]
    async fn fees(&self) -> Result<Vec<(Option<StoreId>, FeeSchedule)>, RepositoryError> {
        self.readers
            .call(|connection| CatalogTables(connection).fees())
            .await
    }
}

/// How long a change of the catalog waits for other writes: it comes from a person or a script, who
/// prefers to wait. Orders keep their short wait.
const WAIT: Duration = Duration::from_secs(30);

impl SqliteStore {
    /// Imports rows, or only says what would change, in one transaction.
    ///
    /// The rows are compared before the write lock is taken, because orders wait for the lock: it
    /// is held only while changed rows are written, and not at all where nothing changes.
    async fn import_rows<I: Import>(
        &self,
        import: I,
        options: &ImportOptions,
    ) -> Result<Imported, RepositoryError> {
        let (opener, options) = (Arc::clone(&self.opener), options.clone());
        // Dropped where the caller stops waiting, which ends the import.
        let guard = CancelGuard::default();
        let token = guard.token();
        blocking(move || {
            // A connection of its own, as comparing may take longer than a request may.
            let mut reader = opener.open(Purpose::Read)?;
            let compared = reader.transaction(|reader| {
                Ok::<_, Failure>((version(reader)?, import.compare(reader, &options, &token)?))
            });
            let (seen, changes) = compared?;
            drop(reader);
            if options.dry_run {
                return Ok(I::outcome(changes));
            }
            let changes = match I::is_empty(&changes) {
                true => changes,
                false => in_transaction(&opener, |connection| {
                    // Another import came in between.
                    let changes = match version(connection)? == seen {
                        true => changes,
                        false => import.compare(connection, &options, &token)?,
                    };
                    I::write(&changes, connection, &options, &token)?;
                    Ok((!I::is_empty(&changes), changes))
                })?,
            };
            Ok(I::outcome(changes))
        })
        .await
    }

    /// Changes the catalog in one transaction. The work says whether it did, and returns what came
    /// of it.
    async fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut SqliteConnection) -> Result<(bool, T), Failure> + Send + 'static,
    ) -> Result<T, RepositoryError> {
        let opener = Arc::clone(&self.opener);
        blocking(move || in_transaction(&opener, work)).await
    }
}

/// Writes in one transaction, and gives the catalog a new version where the work says that it
/// changed something.
///
/// On a connection of its own: the one that writes orders would keep them waiting as long as this
/// waits for the lock.
fn in_transaction<T>(
    opener: &Opener,
    work: impl FnOnce(&mut SqliteConnection) -> Result<(bool, T), Failure>,
) -> Result<T, RepositoryError> {
    let mut connection = opener.open_waiting(Purpose::Write, WAIT)?;
    let done = connection.immediate_transaction(|connection| {
        let (changes, done) = work(connection)?;
        if changes {
            CatalogTables(connection).count_version()?;
        }
        Ok::<_, Failure>(done)
    });
    Ok(done?)
}
