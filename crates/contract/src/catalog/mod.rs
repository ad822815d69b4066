//! Cases about the catalog.

mod importing;
mod offering;
mod pricing;
mod products;
mod searching;
mod versions;

use std::sync::Arc;

use pressline_domain::catalog::{
    Catalog, CatalogAdmin, CatalogVersion, ImportOptions, ImportSummary, ListPrice, Offered,
    Variant,
};
use pressline_domain::value::StoreId;

use crate::random::Random;
use crate::{Adapters, CaseError};

pub(crate) use importing::CASES as IMPORTING;
pub(crate) use offering::CASES as OFFERING;
pub(crate) use pricing::CASES as PRICING;
pub(crate) use products::CASES as PRODUCTS;
pub(crate) use searching::CASES as SEARCHING;
pub(crate) use versions::CASES as VERSIONS;

/// Both ports of an empty catalog, and two stores.
struct Shop {
    catalog: Arc<dyn Catalog>,
    admin: Arc<dyn CatalogAdmin>,
    one: StoreId,
    other: StoreId,
    random: Random,
    _adapters: Adapters,
}

impl Shop {
    async fn open(adapters: Adapters) -> Result<Self, CaseError> {
        let mut random = Random::new();
        let one = random.added_store(&adapters.stores, "ONE").await?;
        let other = random.added_store(&adapters.stores, "OTHER").await?;
        Ok(Self {
            catalog: Arc::clone(&adapters.catalog),
            admin: Arc::clone(&adapters.catalog_admin),
            one: one.store.id,
            other: other.store.id,
            random,
            _adapters: adapters,
        })
    }

    fn variants(&mut self, count: usize) -> Vec<Variant> {
        (0..count)
            .map(|number| self.random.variant(&format!("SKU-{number:04} 'ü\"%_")))
            .collect()
    }

    async fn import(&self, variants: &[Variant]) -> Result<ImportSummary, CaseError> {
        Ok(self
            .admin
            .import(variants, &ImportOptions::default())
            .await?)
    }

    async fn set_prices(&self, prices: &[ListPrice]) -> Result<ImportSummary, CaseError> {
        Ok(self
            .admin
            .set_prices(prices, &ImportOptions::default())
            .await?)
    }

    /// Returns the store's offer sorted by SKU, with sorted prices, because the port promises no
    /// order.
    async fn offered(&self, store: StoreId, skus: &[&str]) -> Result<Vec<Offered>, CaseError> {
        let mut offered = self.catalog.offer(store, skus, None).await?.offered;
        offered.sort_by(|one, other| one.variant.sku.cmp(&other.variant.sku));
        for one in &mut offered {
            in_order(&mut one.prices);
        }
        Ok(offered)
    }

    /// Returns the catalog's variants with `skus`, sorted by SKU.
    async fn found(&self, skus: &[&str]) -> Result<Vec<Variant>, CaseError> {
        Ok(self
            .offered(self.one, skus)
            .await?
            .into_iter()
            .map(|offered| Arc::unwrap_or_clone(offered.variant))
            .collect())
    }

    async fn all(&self) -> Result<Vec<Variant>, CaseError> {
        Ok(self.admin.variants(None, 10_000).await?)
    }

    async fn version(&self) -> Result<CatalogVersion, CaseError> {
        Ok(self.catalog.offer(self.one, &[], None).await?.version)
    }

    /// Returns rates and fees of `store` for a caller that has neither.
    async fn tariff(
        &self,
        store: StoreId,
    ) -> Result<pressline_domain::pricing::tariff::Tariff, CaseError> {
        let offer = self.catalog.offer(store, &[], None).await?;
        offer
            .tariff
            .ok_or_else(|| CaseError::new("no rates and fees for a caller that has none"))
    }
}

/// Returns the numbers of added, changed, unchanged and retired variants.
fn counts(summary: &ImportSummary) -> [usize; 4] {
    [
        summary.added,
        summary.changed,
        summary.unchanged,
        summary.retired,
    ]
}

fn skus(variants: &[Variant]) -> Vec<&str> {
    variants
        .iter()
        .map(|variant| variant.sku.as_str())
        .collect()
}

/// Sorts prices in the order of [`CatalogAdmin::prices`].
fn in_order(prices: &mut [ListPrice]) {
    prices.sort_by(|one, other| {
        let key = |price: &ListPrice| {
            (
                price.store,
                price.sku.clone(),
                price.currency.code(),
                price.valid_from,
            )
        };
        key(one).cmp(&key(other))
    });
}
