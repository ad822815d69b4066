//! Implements the port of imports and exports of the catalog.

use async_trait::async_trait;
use pressline_domain::catalog::{CatalogAdmin, ImportOptions, ImportSummary, ListPrice, Variant};
use pressline_domain::error::Result;
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates};
use pressline_domain::value::StoreId;

use crate::catalog::{ImportPlan, PriceRow, VariantRow, fee_documents, read_fees, read_shipping};
use crate::cold_store::{Access, ColdStore, Db, ImportRows};
use crate::failure::{Failure, restore_all};
use crate::json;

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
            let text = match &after {
                None => {
                    "SELECT
                         sku, name, price, currency, areas, product_id, product_name, options,
                         ship_classes, weight_grams, retired
                     FROM products ORDER BY sku LIMIT :limit"
                }
                Some(_) => {
                    "SELECT
                         sku, name, price, currency, areas, product_id, product_name, options,
                         ship_classes, weight_grams, retired
                     FROM products WHERE sku > :after ORDER BY sku LIMIT :limit"
                }
            };
            let limit = (limit as u64).into();
            let rows = db.load(text, &[("after", after.clone().into()), ("limit", limit)])?;
            restore_all(rows, VariantRow::restore)
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
        self.call(Access::Read, move |db| {
            let text = "SELECT
                     sku, store_id, currency, valid_from, amount
                 FROM prices ORDER BY store_id, sku, currency, valid_from";
            let rows = db.load(text, &[])?;
            restore_all(rows, PriceRow::restore)
        })
        .await
    }

    #[tracing::instrument(name = "db.catalog.set_shipping", level = "debug", skip_all)]
    async fn set_shipping(&self, rates: &ShippingRates) -> Result<bool> {
        let document = json::write(rates)?;
        self.call(Access::Catalog, move |db| {
            let changed = change(db, |db| Ok(usize::from(db.set_shipping(&document)?)));
            Ok(changed? > 0)
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
            change(db, |db| Ok(db.set_fees(&documents)?))
        })
        .await
    }

    #[tracing::instrument(name = "db.catalog.shipping", level = "debug", skip_all)]
    async fn shipping(&self) -> Result<Option<ShippingRates>> {
        self.call(Access::Read, move |db| {
            let document = db.shipping_document()?;
            Ok(document.as_deref().map(read_shipping).transpose()?)
        })
        .await
    }

    #[tracing::instrument(name = "db.catalog.fees", level = "debug", skip_all)]
    async fn fees(&self) -> Result<Vec<(Option<StoreId>, FeeSchedule)>> {
        self.call(Access::Read, move |db| {
            let text = "SELECT store_id, document FROM fee_schedules ORDER BY store_id";
            let rows = db.load::<(String, String)>(text, &[])?;
            restore_all(rows, |(store_id, document)| read_fees(&store_id, &document))
        })
        .await
    }
}

/// Runs `work`, which returns the number of changes, under the catalog's lock.
fn change(
    db: &mut Db<'_>,
    work: impl FnOnce(&mut Db<'_>) -> Result<usize, Failure>,
) -> Result<usize, Failure> {
    db.lock_catalog()?;
    let changes = work(db)?;
    // Servers that cache the catalog read it again if its version has changed.
    if changes > 0 {
        db.count_catalog_version()?;
    }
    Ok(changes)
}
