//! Implements the port of imports and exports of the catalog.

use async_trait::async_trait;
use pressline_domain::catalog::{CatalogAdmin, ImportOptions, ImportSummary, ListPrice, Variant};
use pressline_domain::error::Result;
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates};
use pressline_domain::value::id::StoreId;

use crate::catalog::{CatalogTables, ImportPlan, fee_documents, shipping_document};
use crate::cold_store::{Access, ColdStore, Db, ImportRows};
use crate::failure::Failure;

#[async_trait]
impl CatalogAdmin for ColdStore {
    #[tracing::instrument(name = "db.catalog.import", level = "debug", skip_all)]
    async fn import(&self, variants: &[Variant], options: &ImportOptions) -> Result<ImportSummary> {
        let plan = ImportPlan::of_variants(variants)?;
        ImportRows::import(&*self.0, plan, options.clone()).await
    }

    #[tracing::instrument(name = "db.catalog.variants", level = "debug", skip_all)]
    async fn variants(&self, after: Option<&str>, limit: usize) -> Result<Vec<Variant>> {
        let after = after.map(str::to_owned);
        self.call(Access::Read, move |db| {
            CatalogTables(db.connection).variants(after.as_deref(), limit)
        })
        .await
    }

    #[tracing::instrument(name = "db.catalog.set_prices", level = "debug", skip_all)]
    async fn set_prices(
        &self,
        prices: &[ListPrice],
        options: &ImportOptions,
    ) -> Result<ImportSummary> {
        let plan = ImportPlan::of_prices(prices);
        ImportRows::import(&*self.0, plan, options.clone()).await
    }

    #[tracing::instrument(name = "db.catalog.prices", level = "debug", skip_all)]
    async fn prices(&self) -> Result<Vec<ListPrice>> {
        self.call(Access::Read, |db| CatalogTables(db.connection).prices())
            .await
    }

    #[tracing::instrument(name = "db.catalog.set_shipping", level = "debug", skip_all)]
    async fn set_shipping(&self, rates: &ShippingRates) -> Result<bool> {
        let document = shipping_document(rates)?;
        self.call(Access::Catalog, move |db| {
            let changed =
                |tables: &mut CatalogTables<'_>| Ok(usize::from(tables.set_shipping(&document)?));
            Ok(change(db, changed)? > 0)
        })
        .await
    }

    #[tracing::instrument(name = "db.catalog.set_fees", level = "debug", skip_all)]
    async fn set_fees(
        &self,
        schedules: &[(Option<StoreId>, Option<&FeeSchedule>)],
    ) -> Result<usize> {
        let documents = fee_documents(schedules)?;
        self.call(Access::Catalog, move |db| {
            change(db, |tables| Ok(tables.set_fees(&documents)?))
        })
        .await
    }

    #[tracing::instrument(name = "db.catalog.shipping", level = "debug", skip_all)]
    async fn shipping(&self) -> Result<Option<ShippingRates>> {
        self.call(Access::Read, |db| CatalogTables(db.connection).shipping())
            .await
    }

    #[tracing::instrument(name = "db.catalog.fees", level = "debug", skip_all)]
    async fn fees(&self) -> Result<Vec<(Option<StoreId>, FeeSchedule)>> {
        self.call(Access::Read, |db| CatalogTables(db.connection).fees())
            .await
    }
}

/// Locks the catalog and runs `work`. Increments the catalog version unless `work` returns 0
/// changes.
fn change(
    db: &mut Db<'_>,
    work: impl FnOnce(&mut CatalogTables<'_>) -> Result<usize, Failure>,
) -> Result<usize, Failure> {
    let locks = db.dialect.locks;
    let mut tables = CatalogTables(db.connection);
    tables.lock(locks)?;
    let changes = work(&mut tables)?;
    // Servers that cache the catalog read it again if its version has changed.
    if changes > 0 {
        tables.count_version()?;
    }
    Ok(changes)
}
