//! The catalog ports in memory.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use super::at_most;
use crate::catalog::product_names::{ImportedProducts, StoredVariant};
use crate::catalog::{
    Catalog, CatalogAdmin, CatalogVersion, ImportOptions, ImportSummary, ListPrice, Offer, Offered,
    Product, ProductCount, ProductMatches, ProductQuery, ProductStart, Variant, VariantParts,
};
use crate::error::{RepositoryError, Result};
use crate::pricing::tariff::{FeeSchedule, ShippingRates, Tariff};
use crate::value::{StoreId, Timestamp};
use pressline_kit::lock;
use pressline_kit::nearest::nearest;

/// Stores variants, prices, rates and fees in memory. Clones share their content.
#[derive(Debug, Clone, Default)]
pub struct MemoryCatalog {
    kept: Arc<Mutex<Inner>>,
}

struct Incoming {
    variants: BTreeMap<String, Variant>,
    /// Variants outside the import that get a new product name, which they already have here.
    renamed: BTreeMap<String, Variant>,
}

type PriceKey = (Option<StoreId>, String, &'static str, Timestamp);

// The empty currency sorts before all currencies, so this key precedes all prices of the SKU.
fn start_of(list: Option<StoreId>, sku: &str) -> PriceKey {
    let earliest = Timestamp::from_millis(i64::MIN);
    (list, sku.to_owned(), "", earliest)
}

fn key_of(price: &ListPrice) -> PriceKey {
    let currency = price.currency.code();
    (price.store, price.sku.clone(), currency, price.valid_from)
}

#[derive(Debug, Default)]
struct Inner {
    version: CatalogVersion,
    variants: BTreeMap<String, Variant>,
    prices: BTreeMap<PriceKey, ListPrice>,
    shipping: Option<ShippingRates>,
    fees: BTreeMap<Option<StoreId>, FeeSchedule>,
}

impl MemoryCatalog {
    /// Creates a catalog without products.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn version(&self) -> CatalogVersion {
        lock(&self.kept).version
    }
}

impl Inner {
    fn has_own_prices(&self, store: StoreId) -> bool {
        let from = start_of(Some(store), "");
        // The prices of a store are adjacent, so the first key suffices.
        let first = self.prices.range(from..).next();
        first.is_some_and(|((list, ..), _)| *list == Some(store))
    }

    fn offered(&self, store: StoreId, variant: &Variant) -> Offered {
        let of_list = |list: Option<StoreId>| {
            self.prices
                .range(start_of(list, &variant.sku)..)
                .take_while(move |((of, sku, ..), _)| *of == list && *sku == variant.sku)
        };
        let prices = of_list(None).chain(of_list(Some(store)));
        Offered {
            variant: variant.clone().into(),
            prices: prices.map(|(_, price)| price.clone()).collect(),
        }
    }

    fn search(&self, store: StoreId, query: &ProductQuery) -> ProductMatches {
        let mut products: BTreeMap<&str, (Product, bool)> = BTreeMap::new();
        for variant in self.variants.values().filter(|variant| !variant.retired) {
            let offered = self.offered(store, variant);
            let key = query.key.as_ref();
            let matches = key.is_none_or(|key| key.matches(&variant.words()));
            match products.entry(&variant.product.id) {
                Entry::Vacant(entry) => drop(entry.insert((Product::new(offered), matches))),
                Entry::Occupied(mut entry) => {
                    let (product, is_match) = entry.get_mut();
                    product.variants.push(offered);
                    *is_match = *is_match || matches;
                }
            }
        }
        let matching: Vec<Product> = products
            .into_values()
            .filter(|(_, is_match)| *is_match)
            .map(|(product, _)| product)
            .collect();
        let count = matching.len();
        let skipped = match &query.start {
            ProductStart::Offset(skipped) => usize::try_from(*skipped).unwrap_or(usize::MAX),
            ProductStart::After(id) => matching.partition_point(|product| product.id <= *id),
        };
        let size = at_most(query.size);
        ProductMatches {
            products: matching.into_iter().skip(skipped).take(size).collect(),
            more: count > skipped.saturating_add(size),
            counted: ProductCount {
                version: self.version,
                count: u64::try_from(count).unwrap_or(u64::MAX),
            },
        }
    }

    fn with_product_names(
        &self,
        mut variants: BTreeMap<String, Variant>,
        retire_missing: bool,
    ) -> Result<Incoming> {
        let mut products = ImportedProducts::default();
        variants
            .values()
            .for_each(|variant| products.add(&variant.product, variant.retired));
        for variant in self.variants.values() {
            let stored = StoredVariant {
                sku: variant.sku.clone(),
                product: variant.product.clone(),
                retired: variant.retired,
            };
            let stays = !retire_missing && !variants.contains_key(&variant.sku);
            products.add_stored(&stored, stays);
        }
        products.check()?;
        let name = |variant: &Variant| products.name(&variant.product.id).map(str::to_owned);
        for variant in variants.values_mut() {
            *variant = edited(variant, |parts| parts.product.name = name(variant))?;
        }
        let concerned: BTreeSet<&str> = products.ids().collect();
        let others = self.variants.values().filter(|variant| {
            let is_concerned = concerned.contains(variant.product.id.as_str());
            is_concerned && !variants.contains_key(&variant.sku)
        });
        let mut renamed = BTreeMap::new();
        for variant in others.filter(|variant| variant.product.name != name(variant)) {
            let variant = edited(variant, |parts| parts.product.name = name(variant))?;
            renamed.insert(variant.sku.clone(), variant);
        }
        Ok(Incoming { variants, renamed })
    }

    fn changed(&mut self, changed: bool) -> bool {
        self.version.0 += i64::from(changed);
        changed
    }
}

fn edited(variant: &Variant, change: impl FnOnce(&mut VariantParts)) -> Result<Variant> {
    let changed = variant.changed(change);
    changed.map_err(|invalid| RepositoryError::Refused(invalid.into()))
}

#[async_trait]
impl Catalog for MemoryCatalog {
    async fn offer(
        &self,
        store: StoreId,
        skus: &[&str],
        have: Option<CatalogVersion>,
    ) -> Result<Offer> {
        let inner = lock(&self.kept);
        let known = skus.iter().filter_map(|sku| inner.variants.get(*sku));
        let offered = known.map(|variant| inner.offered(store, variant)).collect();
        let fees = inner
            .fees
            .get(&Some(store))
            .or_else(|| inner.fees.get(&None));
        // A caller that has this version's tariff does not need it again.
        let tariff = (have != Some(inner.version)).then(|| Tariff {
            shipping: inner.shipping.clone().unwrap_or_default(),
            fees: fees.cloned().unwrap_or_default(),
        });
        Ok(Offer {
            version: inner.version,
            offered,
            tariff,
            has_own_prices: inner.has_own_prices(store),
        })
    }

    async fn suggest(&self, sku: &str, limit: usize) -> Result<Vec<String>> {
        let inner = lock(&self.kept);
        let near = nearest(sku, inner.variants.keys().map(String::as_str), limit);
        Ok(near.into_iter().map(str::to_owned).collect())
    }

    async fn search(&self, store: StoreId, query: &ProductQuery) -> Result<ProductMatches> {
        Ok(lock(&self.kept).search(store, query))
    }
}

#[async_trait]
impl CatalogAdmin for MemoryCatalog {
    async fn import(&self, variants: &[Variant], options: &ImportOptions) -> Result<ImportSummary> {
        // The last row of a repeated SKU remains.
        let variants_by_sku: BTreeMap<String, Variant> = variants
            .iter()
            .map(|variant| (variant.sku.clone(), variant.clone()))
            .collect();
        let mut inner = lock(&self.kept);
        let incoming = inner.with_product_names(variants_by_sku, options.retire_missing)?;
        let mut imported = ImportSummary::default();
        for (sku, variant) in &incoming.variants {
            imported.count(inner.variants.get(sku), variant, sku);
        }
        let mut others = incoming.renamed;
        if options.retire_missing {
            let missing = |variant: &&Variant| !incoming.variants.contains_key(&variant.sku);
            let active = inner.variants.values().filter(|variant| !variant.retired);
            for variant in active.filter(missing) {
                imported.retire(&variant.sku);
                let before = others.get(&variant.sku).unwrap_or(variant);
                let retired = edited(before, |parts| parts.retired = true)?;
                others.insert(variant.sku.clone(), retired);
            }
        }
        for (sku, variant) in &others {
            // Retired variants were already counted.
            let before = inner.variants.get(sku);
            if before.is_some_and(|before| before.retired == variant.retired) {
                imported.count(before, variant, sku);
            }
        }
        imported.changes.sort_by(|one, other| one.1.cmp(&other.1));
        if !options.dry_run {
            inner.variants.extend(incoming.variants);
            inner.variants.extend(others);
            inner.changed(!imported.changes.is_empty());
        }
        options.done(variants.len());
        Ok(imported)
    }

    async fn variants(&self, after: Option<&str>, limit: usize) -> Result<Vec<Variant>> {
        let inner = lock(&self.kept);
        let follows = |variant: &&Variant| after.is_none_or(|after| variant.sku.as_str() > after);
        let following = inner.variants.values().filter(follows);
        Ok(following.take(limit).cloned().collect())
    }

    async fn set_prices(
        &self,
        prices: &[ListPrice],
        options: &ImportOptions,
    ) -> Result<ImportSummary> {
        let mut inner = lock(&self.kept);
        let mut imported = ImportSummary::default();
        let keyed = prices.iter().map(|price| (key_of(price), price.clone()));
        // The last price of a repeated key remains.
        let incoming: BTreeMap<PriceKey, ListPrice> = keyed.collect();
        for (key, price) in &incoming {
            imported.count(inner.prices.get(key), price, &key.1);
        }
        let listed_again = |key: &PriceKey| incoming.keys().any(|(store, ..)| *store == key.0);
        // Only the lists that the import contains lose prices.
        let gone = |key: &PriceKey| {
            options.retire_missing && listed_again(key) && !incoming.contains_key(key)
        };
        let missing: Vec<PriceKey> = inner
            .prices
            .keys()
            .filter(|key| gone(key))
            .cloned()
            .collect();
        for key in &missing {
            imported.retire(&key.1);
        }
        imported.changes.sort_by(|one, other| one.1.cmp(&other.1));
        if !options.dry_run {
            inner.prices.retain(|key, _| !missing.contains(key));
            inner.prices.extend(incoming);
            inner.changed(!imported.changes.is_empty());
        }
        options.done(prices.len());
        Ok(imported)
    }

    async fn prices(&self) -> Result<Vec<ListPrice>> {
        Ok(lock(&self.kept).prices.values().cloned().collect())
    }

    async fn set_shipping(&self, rates: &ShippingRates) -> Result<bool> {
        let mut inner = lock(&self.kept);
        let changed = inner.shipping.replace(rates.clone()).as_ref() != Some(rates);
        Ok(inner.changed(changed))
    }

    async fn set_fees(
        &self,
        schedules: &[(Option<StoreId>, Option<&FeeSchedule>)],
    ) -> Result<usize> {
        let mut inner = lock(&self.kept);
        let mut changed = 0;
        for (store, schedule) in schedules {
            let before = match schedule {
                Some(schedule) => inner.fees.insert(*store, (*schedule).clone()),
                None => inner.fees.remove(store),
            };
            changed += usize::from(before.as_ref() != *schedule);
        }
        inner.changed(changed > 0);
        Ok(changed)
    }

    async fn shipping(&self) -> Result<Option<ShippingRates>> {
        Ok(lock(&self.kept).shipping.clone())
    }

    async fn fees(&self) -> Result<Vec<(Option<StoreId>, FeeSchedule)>> {
        Ok(lock(&self.kept).fees.clone().into_iter().collect())
    }
}
