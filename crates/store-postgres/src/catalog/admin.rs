//! The catalog in PostgreSQL: imports, exports, rates and fees.

use std::thread;

use async_trait::async_trait;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use pressline_domain::catalog::{CatalogAdmin, ImportOptions, ImportSummary, ListPrice, Variant};
use pressline_domain::error::RepositoryError;
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates};
use pressline_domain::value::id::StoreId;
use pressline_store_kit::schema::catalog_version;
use pressline_store_kit::{
    CancelGuard, CatalogTables, ImportPlan, blocking, fee_documents, shipping_document,
};

use super::import::{Prices, Variants};
use crate::error::{Failure, Remedy, remedy_of, repository};
use crate::session::{Manager, Plans, without_time_limit};
use crate::{PostgresStore, retry};

#[async_trait]
impl CatalogAdmin for PostgresStore {
    #[tracing::instrument(name = "db.catalog.import", level = "debug", skip_all)]
    async fn import(
        &self,
        variants: &[Variant],
        options: &ImportOptions,
    ) -> Result<ImportSummary, RepositoryError> {
        let (plan, options) = (ImportPlan::of_variants(variants)?, options.clone());
        let guard = CancelGuard::default();
        let token = guard.token();
        self.change(options.dry_run, move |connection| {
            let changes = plan.compare(&mut Variants(connection), &options, &token)?;
            if !options.dry_run {
                changes.write(&mut Variants(connection), &options, &token)?;
            }
            Ok((!changes.is_empty(), changes.imported))
        })
        .await
    }

    #[tracing::instrument(name = "db.catalog.variants", level = "debug", skip_all)]
    async fn variants(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Variant>, RepositoryError> {
        let after = after.map(str::to_owned);
        self.pool
            .call(move |connection, _| CatalogTables(connection).variants(after.as_deref(), limit))
            .await
    }

    #[tracing::instrument(name = "db.catalog.set_prices", level = "debug", skip_all)]
    async fn set_prices(
        &self,
        prices: &[ListPrice],
        options: &ImportOptions,
    ) -> Result<ImportSummary, RepositoryError> {
        let (plan, options) = (ImportPlan::of_prices(prices), options.clone());
        let guard = CancelGuard::default();
        let token = guard.token();
        self.change(options.dry_run, move |connection| {
            let changes = plan.compare(&mut Prices(connection), &options, &token)?;
            if !options.dry_run {
                changes.write(&mut Prices(connection), &options, &token)?;
            }
            Ok((!changes.is_empty(), changes.imported))
        })
        .await
    }

    #[tracing::instrument(name = "db.catalog.prices", level = "debug", skip_all)]
    async fn prices(&self) -> Result<Vec<ListPrice>, RepositoryError> {
        self.pool
            .call(|connection, _| CatalogTables(connection).prices())
            .await
    }

    #[tracing::instrument(name = "db.catalog.set_shipping", level = "debug", skip_all)]
    async fn set_shipping(&self, rates: &ShippingRates) -> Result<bool, RepositoryError> {
        let document = shipping_document(rates)?;
        self.change(false, move |connection| {
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
        self.change(false, move |connection| {
            let changed = CatalogTables(connection).set_fees(&documents)?;
            Ok((changed > 0, changed))
        })
        .await
    }

    #[tracing::instrument(name = "db.catalog.shipping", level = "debug", skip_all)]
    async fn shipping(&self) -> Result<Option<ShippingRates>, RepositoryError> {
        self.pool
            .call(|connection, _| CatalogTables(connection).shipping())
            .await
    }

    #[tracing::instrument(name = "db.catalog.fees", level = "debug", skip_all)]
    async fn fees(&self) -> Result<Vec<(Option<StoreId>, FeeSchedule)>, RepositoryError> {
        self.pool
            .call(|connection, _| CatalogTables(connection).fees())
            .await
    }
}

impl PostgresStore {
    /// Changes the catalog in a single transaction, unless `dry_run`. `work` returns whether it
    /// changed anything, and a result. It may run several times: a conflict with another
    /// transaction repeats it.
    async fn change<T: Send + 'static>(
        &self,
        dry_run: bool,
        mut work: impl FnMut(&mut PgConnection) -> Result<(bool, T), Failure> + Send + 'static,
    ) -> Result<T, RepositoryError> {
        // A connection outside the pool, because an import may take longer than a request may.
        let manager = self.pool.manager();
        blocking(move || {
            let mut conflicts = 0;
            loop {
                let failure = match attempt(&manager, dry_run, &mut work)? {
                    Ok(done) => return Ok(done),
                    Err(failure) => failure,
                };
                if remedy_of(&failure) != Remedy::TryAgain || conflicts >= retry::CONFLICTS {
                    return Err(repository(failure, false));
                }
                conflicts += 1;
                thread::sleep(retry::pause(conflicts));
            }
        })
        .await
    }
}

fn attempt<T>(
    manager: &Manager,
    dry_run: bool,
    work: &mut impl FnMut(&mut PgConnection) -> Result<(bool, T), Failure>,
) -> Result<Result<T, Failure>, RepositoryError> {
    let mut connection = manager
        .open(Plans::Auto)
        .map_err(|error| RepositoryError::Unavailable(error.into()))?;
    if dry_run {
        // One snapshot, and no lock that other transactions would wait for.
        let mut transaction = connection.build_transaction().repeatable_read().read_only();
        return Ok(transaction.run(|connection| Ok(work(connection)?.1)));
    }
    Ok(connection.transaction(|connection| {
        without_time_limit(connection)?;
        lock(connection)?;
        let (changes, done) = work(connection)?;
        // Servers that cache the catalog read it again if its version has changed.
        if changes {
            CatalogTables(connection).count_version()?;
        }
        Ok(done)
    }))
}

/// Waits until other changes of the catalog have ended, so that two changes cannot deadlock on
/// rows. Readers do not wait.
fn lock(connection: &mut PgConnection) -> QueryResult<()> {
    catalog_version::table
        .select(catalog_version::version)
        .for_update()
        .execute(connection)?;
    Ok(())
}
