//! The catalog in SQLite: imports, exports, rates and fees.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use pressline_domain::catalog::{CatalogAdmin, ImportOptions, ImportSummary, ListPrice, Variant};
use pressline_domain::error::RepositoryError;
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates};
use pressline_domain::value::id::StoreId;
use pressline_store_kit::{
    CancelGuard, CancelToken, CatalogTables, ImportPlan, blocking, fee_documents, shipping_document,
};

use super::import::Import;
use super::staging::{Staging, WAIT, generation};
use crate::SqliteStore;
use crate::connection::{Opener, Purpose};
use crate::error::{Failure, repository};

#[async_trait]
impl CatalogAdmin for SqliteStore {
    #[tracing::instrument(name = "db.catalog.import", level = "debug", skip_all)]
    async fn import(
        &self,
        variants: &[Variant],
        options: &ImportOptions,
    ) -> Result<ImportSummary, RepositoryError> {
        self.import_rows(ImportPlan::of_variants(variants)?, options)
            .await
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
    ) -> Result<ImportSummary, RepositoryError> {
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

impl SqliteStore {
    /// Imports rows, or only reports the changes if `options.dry_run`.
    ///
    /// The rows are compared on a connection that reads. The write lock, for which orders wait, is
    /// taken only for portions of changed rows, and never if nothing changes.
    async fn import_rows<I: Import>(
        &self,
        import: I,
        options: &ImportOptions,
    ) -> Result<ImportSummary, RepositoryError> {
        let (opener, options) = (Arc::clone(&self.opener), options.clone());
        // Dropped if the caller stops waiting, which cancels the import.
        let guard = CancelGuard::default();
        let token = guard.token();
        blocking(move || {
            let compare = || compared(&opener, &import, &options, &token);
            let (seen, mut changes) = compare()?;
            if options.dry_run || I::is_empty(&changes) {
                return Ok(I::outcome(changes));
            }
            let mut staging = Staging::begin(&opener, &token)?;
            // Another import was published in between. From here on none can.
            if staging.generation() != seen {
                changes = compare()?.1;
            }
            if !I::is_empty(&changes) {
                I::write(&changes, &mut staging, &options, &token).map_err(repository)?;
                staging.publish()?;
            }
            Ok(I::outcome(changes))
        })
        .await
    }

    /// Changes the catalog in a single transaction. `work` returns whether it changed anything, and
    /// a result.
    async fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut SqliteConnection) -> Result<(bool, T), Failure> + Send + 'static,
    ) -> Result<T, RepositoryError> {
        let opener = Arc::clone(&self.opener);
        blocking(move || in_transaction(&opener, work)).await
    }
}

/// Compares `import` with the current generation. Returns the generation and the changes.
fn compared<I: Import>(
    opener: &Opener,
    import: &I,
    options: &ImportOptions,
    token: &CancelToken,
) -> Result<(i64, I::Changes), RepositoryError> {
    // A connection outside the pool, because comparing may take longer than a request may.
    let mut reader = opener.open(Purpose::Read)?;
    let compared = reader.transaction(|reader| {
        let seen = generation(reader)?;
        Ok::<_, Failure>((seen, import.compare(reader, options, token)?))
    });
    compared.map_err(repository)
}

/// Runs `work` in a single transaction, and increments the version of the catalog if `work` changed
/// anything.
///
/// On a connection of its own: orders would wait for the writing connection as long as this call
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
    done.map_err(repository)
}
