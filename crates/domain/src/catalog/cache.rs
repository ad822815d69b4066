//! A cache in front of the catalog. It contains the data by which recent orders were priced, so
//! that a typical order does not read the catalog.

mod generation;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Catalog, CatalogVersion, Offered};
use crate::error::Result;
use crate::value::id::StoreId;

use generation::{Generation, Terms};

/// Approximate maximum. Each of the cache's two halves has room for the offers of 100,000 SKUs,
/// about 1 KB each, and for the data of 1,000 stores.
pub(crate) const CACHE_BYTES: usize = 256 * 1024 * 1024;

pub(crate) type OfferedVariants = HashMap<Arc<str>, Arc<Offered>>;

pub(crate) struct PriceBasis {
    pub(crate) version: CatalogVersion,
    pub(crate) known: OfferedVariants,
    pub(crate) terms: Terms,
}

/// A cached offer can be outdated. Each write of an order therefore states the catalog version of
/// the order's prices. The write is refused if the catalog has changed since.
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

    /// Returns the offers of `skus` to `store`, with rates and fees. Leaves out unknown SKUs, and
    /// never caches them. Set `fresh` to skip the cache. A caller that writes an order does not
    /// need `fresh`: the write is refused if an offer is outdated.
    pub(crate) async fn offer(
        &self,
        store: StoreId,
        skus: &[&str],
        fresh: bool,
    ) -> Result<PriceBasis> {
        // The lock must not be held while the catalog is read.
        let have = {
            let mut cache = self.lock();
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
        self.lock().insert(store, &basis);
        Ok(basis)
    }

    pub(crate) async fn suggest(&self, sku: &str, limit: usize) -> Result<Vec<String>> {
        self.catalog.suggest(sku, limit).await
    }

    /// Empties the cache if its offers are from the catalog version `outdated` or earlier.
    pub(crate) fn forget(&self, outdated: CatalogVersion) {
        self.lock().forget(outdated);
    }

    fn lock(&self) -> MutexGuard<'_, Cache> {
        // A panic while the lock is held loses at most an entry, so a poisoned lock is usable.
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Offers from one version of the catalog, in two generations. New offers go to `newer`. When
/// `newer` is full, it replaces `older`. A used offer in `older` is copied to `newer`, so that only
/// unused offers are dropped.
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
            // The current version is unknown, but later than `outdated`. The version `outdated + 1`
            // keeps offers of the version `outdated` from being inserted again.
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
        let known = skus.iter().map(|sku| self.get(store, &terms, sku));
        let known = known.collect::<Option<OfferedVariants>>()?;
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
        if let Some(found) = self.newer.get(store, terms, sku) {
            return Some(found);
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

    /// Empties the cache first if `basis` is from a later catalog version than the cache; does
    /// nothing if `basis` is from an earlier version.
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
