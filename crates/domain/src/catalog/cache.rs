//! A cache in front of the catalog. It contains the data by which recent orders were priced, so
//! that a typical order does not read the catalog.

mod generation;

use pressline_kit::lock;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::{Catalog, CatalogVersion, Offered};
use crate::error::Result;
use crate::value::StoreId;

use generation::{Generation, Terms};

/// Approximate. Each of the two halves of the cache has room for 100,000 SKUs and 1,000 stores.
pub(crate) const CACHE_BYTES: usize = 256 * 1024 * 1024;

pub(crate) type OfferedVariants = HashMap<Arc<str>, Arc<Offered>>;

pub(crate) struct PriceBasis {
    pub(crate) version: CatalogVersion,
    pub(crate) known: OfferedVariants,
    pub(crate) terms: Terms,
}

/// Offers can be outdated, so each write of an order states the catalog version of its prices.
pub(crate) struct CachedCatalog {
    catalog: Arc<dyn Catalog>,
    cache: Mutex<Cache>,
}

impl CachedCatalog {
    pub(crate) fn new(catalog: Arc<dyn Catalog>, bytes: usize) -> Self {
        Self {
            catalog,
            cache: Mutex::new(Cache::new(bytes)),
        }
    }

    /// Leaves out unknown SKUs, and never caches them. `fresh` skips the cache; a caller that
    /// writes an order does not need it, because the write is refused if an offer is outdated.
    pub(crate) async fn offer(
        &self,
        store: StoreId,
        skus: &[&str],
        fresh: bool,
    ) -> Result<PriceBasis> {
        // The lock must not be held while the catalog is read.
        let have = {
            let mut cache = lock(&self.cache);
            if !fresh && let Some(basis) = cache.basis(store, skus) {
                return Ok(basis);
            }
            let terms = cache.terms(store);
            // Rates and fees are large: if they are cached, the catalog does not send them again.
            terms.map(|terms| (cache.version, terms.tariff))
        };
        let known_version = have.as_ref().map(|(version, _)| *version);
        // All SKUs are read, not only the missing SKUs, so that all are of the same version.
        let offer = self.catalog.offer(store, skus, known_version).await?;
        let tariff = match (offer.tariff, have) {
            (None, Some((_, tariff))) => tariff,
            (stored, _) => Arc::new(stored.unwrap_or_default()),
        };
        let entry = |offered: Offered| (Arc::from(offered.variant.sku.as_str()), Arc::new(offered));
        let basis = PriceBasis {
            version: offer.version,
            known: offer.offered.into_iter().map(entry).collect(),
            terms: Terms {
                tariff,
                has_own_prices: offer.has_own_prices,
            },
        };
        lock(&self.cache).insert(store, &basis);
        Ok(basis)
    }

    pub(crate) async fn suggest(&self, sku: &str, limit: usize) -> Result<Vec<String>> {
        self.catalog.suggest(sku, limit).await
    }

    /// Empties the cache if its offers are from the catalog version `outdated` or earlier.
    pub(crate) fn forget(&self, outdated: CatalogVersion) {
        lock(&self.cache).forget(outdated);
    }
}

/// When `newer` is full, it replaces `older`. The use of an offer in `older` copies it to `newer`.
#[derive(Default)]
struct Cache {
    version: CatalogVersion,
    newer: Generation,
    older: Generation,
    generation_bytes: usize,
}

impl Cache {
    fn new(bytes: usize) -> Self {
        Self {
            generation_bytes: bytes / 2,
            ..Self::default()
        }
    }

    fn clear(&mut self, version: CatalogVersion) {
        self.version = version;
        self.newer = Generation::default();
        self.older = Generation::default();
    }

    fn forget(&mut self, outdated: CatalogVersion) {
        if self.version <= outdated {
            // The version `outdated + 1` keeps offers of `outdated` from being inserted again.
            self.clear(CatalogVersion(outdated.0.saturating_add(1)));
        }
    }

    fn terms(&self, store: StoreId) -> Option<Terms> {
        let newer = self.newer.terms(store);
        newer.or_else(|| self.older.terms(store)).cloned()
    }

    /// Returns `None` if any part of the data is not cached.
    fn basis(&mut self, store: StoreId, skus: &[&str]) -> Option<PriceBasis> {
        let terms = self.terms(store)?;
        let known = skus
            .iter()
            .map(|sku| self.get(store, &terms, sku))
            .collect::<Option<OfferedVariants>>()?;
        Some(PriceBasis {
            version: self.version,
            known,
            terms,
        })
    }

    fn get(
        &mut self,
        store: StoreId,
        terms: &Terms,
        sku: &str,
    ) -> Option<(Arc<str>, Arc<Offered>)> {
        if let Some(offered) = self.newer.get(store, terms, sku) {
            return Some(offered);
        }
        let (sku, offered) = self.older.get(store, terms, sku)?;
        self.put(store, terms, &sku, &offered);
        Some((sku, offered))
    }

    fn put(&mut self, store: StoreId, terms: &Terms, sku: &Arc<str>, offered: &Arc<Offered>) {
        if self.newer.bytes() >= self.generation_bytes {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.put(store, terms, sku, offered);
    }

    /// Empties the cache first if `basis` is from a later version; ignores an earlier version.
    fn insert(&mut self, store: StoreId, basis: &PriceBasis) {
        if basis.version > self.version {
            self.clear(basis.version);
        }
        if basis.version == self.version {
            self.newer.set_terms(store, &basis.terms);
            for (sku, offered) in &basis.known {
                self.put(store, &basis.terms, sku, offered);
            }
        }
    }
}

#[cfg(test)]
mod tests;
