//! The products that orders asked for lately, so that a common order costs no look at the catalog.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::catalog::{CatalogVersion, Product};
use crate::ports::{Catalog, RepositoryError};

/// How many products are remembered at least, once there are so many; at most it's twice as many.
const REMEMBERED: usize = 4096;

/// Products by SKU.
pub(super) type Known = HashMap<Arc<str>, Arc<Product>>;

/// Products of one state of the catalog. Whether it is still the catalog's state is decided when an order is written:
/// the write names it, and is refused where it is another one.
#[derive(Debug, Default)]
pub(super) struct RecentProducts {
    shelf: Mutex<Shelf>,
}

/// When the newer half is full it becomes the older one, and what nobody asked for since then goes.
#[derive(Debug, Default)]
struct Shelf {
    version: CatalogVersion,
    newer: Known,
    older: Known,
}

impl RecentProducts {
    /// The products with these SKUs, all of one state of the catalog, and that state. Unknown ones are left out, and asked
    /// for again each time.
    pub(super) async fn of(
        &self,
        skus: &[&str],
        catalog: &dyn Catalog,
    ) -> Result<(CatalogVersion, Known), RepositoryError> {
        if let Some(remembered) = self.lock().all(skus) {
            return Ok(remembered);
        }
        let found = catalog.products(skus).await?;
        let entry = |product: Product| (Arc::from(product.sku.as_str()), Arc::new(product));
        let known: Known = found.known.into_iter().map(entry).collect();
        self.lock().take_in(found.version, &known);
        Ok((found.version, known))
    }

    /// Forgets all, as the catalog has changed.
    pub(super) fn forget(&self) {
        *self.lock() = Shelf::default();
    }

    fn lock(&self) -> MutexGuard<'_, Shelf> {
        // Whoever panicked left at worst a product less.
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    fn all(&mut self, skus: &[&str]) -> Option<(CatalogVersion, Known)> {
        if skus.is_empty() {
            return None;
        }
        let known = skus.iter().map(|sku| self.get(sku)).collect::<Option<Known>>()?;
        Some((self.version, known))
    }

    fn get(&mut self, sku: &str) -> Option<(Arc<str>, Arc<Product>)> {
        if let Some((sku, product)) = self.newer.get_key_value(sku) {
            return Some((Arc::clone(sku), Arc::clone(product)));
        }
        let (sku, product) = self.older.remove_entry(sku)?;
        self.put(Arc::clone(&sku), Arc::clone(&product));
        Some((sku, product))
    }

    fn put(&mut self, sku: Arc<str>, product: Arc<Product>) {
        if self.newer.len() >= REMEMBERED {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.insert(sku, product);
    }

    /// What an earlier call read of a later state stays.
    fn take_in(&mut self, version: CatalogVersion, known: &Known) {
        if version > self.version {
            *self = Self { version, ..Self::default() };
        }
        if version == self.version {
            for (sku, product) in known {
                self.put(Arc::clone(sku), Arc::clone(product));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::PrintArea;
    use crate::money::Currency;

    fn product(sku: &str) -> (Arc<str>, Arc<Product>) {
        let product = Product {
            sku: sku.to_owned(),
            name: String::new(),
            price: None,
            currency: Currency::USD,
            areas: vec![PrintArea::main()],
        };
        (Arc::from(sku), Arc::new(product))
    }

    fn skus(from: usize, to: usize) -> Vec<String> {
        (from..to).map(|number| format!("SKU-{number}")).collect()
    }

    fn known(skus: &[String]) -> Known {
        skus.iter().map(|sku| product(sku)).collect()
    }

    #[test]
    fn what_is_asked_for_stays_and_what_is_not_goes() {
        let mut shelf = Shelf::default();
        shelf.take_in(CatalogVersion(1), &known(&["MUG".to_owned()]));
        for round in 0..10 {
            shelf.take_in(CatalogVersion(1), &known(&skus(round * 1000, round * 1000 + 1000)));
            assert!(shelf.all(&["MUG"]).is_some(), "round {round}");
            assert!(shelf.newer.len() + shelf.older.len() <= 2 * REMEMBERED);
        }
        assert!(shelf.all(&["SKU-1"]).is_none());
        assert!(shelf.all(&["SKU-9999", "MUG"]).is_some());
    }

    #[test]
    fn products_of_two_states_never_stand_together() {
        let mut shelf = Shelf::default();
        shelf.take_in(CatalogVersion(2), &known(&skus(0, 2)));
        shelf.take_in(CatalogVersion(3), &known(&skus(1, 3)));
        assert!(shelf.all(&["SKU-0"]).is_none());
        assert_eq!(shelf.all(&["SKU-1", "SKU-2"]).map(|(version, _)| version), Some(CatalogVersion(3)));
        // Read before the import, and handed over after it.
        shelf.take_in(CatalogVersion(2), &known(&skus(5, 6)));
        assert!(shelf.all(&["SKU-5"]).is_none());
    }
}
