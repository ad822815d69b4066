//! What orders were priced with lately, so that a common order costs no look at the catalog.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::tariff::Tariff;
use crate::catalog::{Catalog, CatalogVersion, Offered};
use crate::error::RepositoryError;
use crate::id::StoreId;

/// How many variants are remembered at least, once there are so many; at most it's twice as many.
const REMEMBERED: usize = 4096;
/// Of how many stores rates and fees are remembered.
const TARIFFS: usize = 1024;

/// Offers by SKU.
pub(crate) type Known = HashMap<Arc<str>, Arc<Offered>>;

/// What a store's order is priced with, all of one state of the catalog.
#[derive(Debug, Clone)]
pub(crate) struct PriceBasis {
    pub(crate) version: CatalogVersion,
    pub(crate) known: Known,
    pub(crate) tariff: Arc<Tariff>,
}

/// Offers of one state of the catalog. Whether it is still the catalog's state is decided when an
/// order is written: the write names it, and is refused where it is another one.
#[derive(Debug, Default)]
pub(crate) struct RecentOffers {
    shelf: Mutex<Shelf>,
}

/// A variant, as this store may order it.
type Key = (StoreId, Arc<str>);

/// When the newer half is full it becomes the older one, and what nobody asked for since then goes.
#[derive(Debug, Default)]
struct Shelf {
    version: CatalogVersion,
    newer: HashMap<Key, Arc<Offered>>,
    older: HashMap<Key, Arc<Offered>>,
    tariffs: HashMap<StoreId, Arc<Tariff>>,
}

impl RecentOffers {
    /// What a store's order of these SKUs is priced with. Unknown ones are left out, and asked for
    /// again each time; so are all others where `fresh` says that no write will tell whether the
    /// catalog has changed.
    pub(crate) async fn of(
        &self,
        store: StoreId,
        skus: &[&str],
        catalog: &dyn Catalog,
        fresh: bool,
    ) -> Result<PriceBasis, RepositoryError> {
        let have = {
            let mut shelf = self.lock();
            if !fresh && let Some(remembered) = shelf.all(store, skus) {
                return Ok(remembered);
            }
            shelf
                .tariffs
                .get(&store)
                .map(|tariff| (shelf.version, Arc::clone(tariff)))
        };
        let offer = catalog
            .offer(store, skus, have.as_ref().map(|(version, _)| *version))
            .await?;
        let tariff = match (offer.tariff, have) {
            (None, Some((_, tariff))) => tariff,
            (stored, _) => Arc::new(stored.unwrap_or_default()),
        };
        let entry = |offered: Offered| (Arc::from(offered.variant.sku.as_str()), Arc::new(offered));
        let known = offer.offered.into_iter().map(entry).collect();
        let basis = PriceBasis {
            version: offer.version,
            known,
            tariff,
        };
        self.lock().take_in(store, &basis);
        Ok(basis)
    }

    /// Forgets what is of this state of the catalog or of an earlier one, as there is another. What
    /// somebody has read of a later one stays.
    pub(crate) fn forget(&self, outdated: CatalogVersion) {
        let mut shelf = self.lock();
        if shelf.version <= outdated {
            *shelf = Shelf {
                version: CatalogVersion(outdated.0.saturating_add(1)),
                ..Shelf::default()
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shelf> {
        // Whoever panicked left at worst an offer less.
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    fn all(&mut self, store: StoreId, skus: &[&str]) -> Option<PriceBasis> {
        let tariff = Arc::clone(self.tariffs.get(&store)?);
        let known = skus
            .iter()
            .map(|sku| self.get(store, sku))
            .collect::<Option<Known>>()?;
        Some(PriceBasis {
            version: self.version,
            known,
            tariff,
        })
    }

    fn get(&mut self, store: StoreId, sku: &str) -> Option<(Arc<str>, Arc<Offered>)> {
        let key = (store, Arc::from(sku));
        if let Some(((_, sku), offered)) = self.newer.get_key_value(&key) {
            return Some((Arc::clone(sku), Arc::clone(offered)));
        }
        let ((_, sku), offered) = self.older.remove_entry(&key)?;
        self.put(store, Arc::clone(&sku), Arc::clone(&offered));
        Some((sku, offered))
    }

    fn put(&mut self, store: StoreId, sku: Arc<str>, offered: Arc<Offered>) {
        if self.newer.len() >= REMEMBERED {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.insert((store, sku), offered);
    }

    /// What an earlier call read of a later state stays.
    fn take_in(&mut self, store: StoreId, basis: &PriceBasis) {
        if basis.version > self.version {
            *self = Self {
                version: basis.version,
                ..Self::default()
            };
        }
        if basis.version == self.version {
            if self.tariffs.len() >= TARIFFS && !self.tariffs.contains_key(&store) {
                self.tariffs.clear();
            }
            self.tariffs.insert(store, Arc::clone(&basis.tariff));
            for (sku, offered) in &basis.known {
                self.put(store, Arc::clone(sku), Arc::clone(offered));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::Variant;
    use crate::pricing::offers::*;
    use uuid::Uuid;

    const STORE: StoreId = StoreId::new(Uuid::nil());

    fn basis(version: i64, skus: &[String]) -> PriceBasis {
        let entry = |sku: &String| {
            let offered = Offered {
                variant: Variant::single(sku, ""),
                prices: Vec::new(),
            };
            (Arc::from(sku.as_str()), Arc::new(offered))
        };
        let known = skus.iter().map(entry).collect();
        PriceBasis {
            version: CatalogVersion(version),
            known,
            tariff: Arc::default(),
        }
    }

    fn skus(from: usize, to: usize) -> Vec<String> {
        (from..to).map(|number| format!("SKU-{number}")).collect()
    }

    #[test]
    fn what_is_asked_for_stays_and_what_is_not_goes() {
        let mut shelf = Shelf::default();
        shelf.take_in(STORE, &basis(1, &["MUG".to_owned()]));
        for round in 0..10 {
            shelf.take_in(STORE, &basis(1, &skus(round * 1000, round * 1000 + 1000)));
            assert!(shelf.all(STORE, &["MUG"]).is_some(), "round {round}");
            assert!(shelf.newer.len() + shelf.older.len() <= 2 * REMEMBERED);
        }
        assert!(shelf.all(STORE, &["SKU-1"]).is_none());
        assert!(shelf.all(STORE, &["SKU-9999", "MUG"]).is_some());
    }

    #[test]
    fn offers_of_two_states_never_stand_together() {
        let mut shelf = Shelf::default();
        shelf.take_in(STORE, &basis(2, &skus(0, 2)));
        shelf.take_in(STORE, &basis(3, &skus(1, 3)));
        assert!(shelf.all(STORE, &["SKU-0"]).is_none());
        let both = shelf.all(STORE, &["SKU-1", "SKU-2"]);
        assert_eq!(both.map(|basis| basis.version), Some(CatalogVersion(3)));
        // Read before the import, and handed over after it.
        shelf.take_in(STORE, &basis(2, &skus(5, 6)));
        assert!(shelf.all(STORE, &["SKU-5"]).is_none());
    }

    #[test]
    fn what_is_outdated_goes_and_does_not_come_back() {
        let recent = RecentOffers::default();
        recent.lock().take_in(STORE, &basis(2, &skus(0, 1)));
        recent.forget(CatalogVersion(2));
        // Somebody who was slow hands over what he read before.
        recent.lock().take_in(STORE, &basis(2, &skus(0, 1)));
        assert!(recent.lock().all(STORE, &["SKU-0"]).is_none());
        recent.lock().take_in(STORE, &basis(3, &skus(0, 1)));
        // Another one finds out later that the second state is gone.
        recent.forget(CatalogVersion(2));
        assert!(recent.lock().all(STORE, &["SKU-0"]).is_some());
    }

    #[test]
    fn each_store_has_offers_of_its_own() {
        let mut shelf = Shelf::default();
        shelf.take_in(STORE, &basis(1, &skus(0, 1)));
        let other = StoreId::new(Uuid::max());
        assert!(shelf.all(other, &["SKU-0"]).is_none());
        shelf.take_in(other, &basis(1, &[]));
        assert!(shelf.all(other, &["SKU-0"]).is_none());
    }
}
