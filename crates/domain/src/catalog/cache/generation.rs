//! A generation of the cache of offers: one of its two halves. All stores without own prices share
//! one offer per SKU. A store's own prices are stored per store.

use std::collections::HashMap;
use std::sync::Arc;

use crate::catalog::{ListPrice, Offered, PrintArea, Variant};
use crate::pricing::tariff::Tariff;
use crate::value::StoreId;

/// Estimated size in bytes of an entry in a map of [`Generation`], without the text of strings.
const ENTRY_BYTES: usize = 96;
/// Estimated size in bytes. A row is a shipping rate, a zone's region or a fee rule.
const TARIFF_ROW_BYTES: usize = 256;

#[derive(Clone)]
pub(crate) struct Terms {
    pub(crate) tariff: Arc<Tariff>,
    pub(super) has_own_prices: bool,
}

#[derive(Default)]
pub(super) struct Generation {
    offers: HashMap<Arc<str>, Shared>,
    stores: HashMap<StoreId, StoreEntry>,
    bytes: usize,
}

struct Shared {
    /// From 0: index of the SKU's bit in [`StoreEntry::known`], and key in [`StoreEntry::own`].
    index: usize,
    /// For stores without own prices of the SKU: contains only prices of the service's list.
    offered: Arc<Offered>,
}

struct StoreEntry {
    terms: Terms,
    /// One bit for each SKU, at its [`Shared::index`]. The bit is set if the store's own prices for
    /// the SKU were read, even if there are none. Unused for stores without own prices.
    known: Vec<u64>,
    /// Offers that contain own prices of the store, keyed by [`Shared::index`].
    own: HashMap<usize, Arc<Offered>>,
}

impl Generation {
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn terms(&self, store: StoreId) -> Option<&Terms> {
        self.stores.get(&store).map(|entry| &entry.terms)
    }

    pub(super) fn set_terms(&mut self, store: StoreId, terms: &Terms) {
        let entry = self.stores.entry(store).or_insert_with(|| {
            self.bytes += ENTRY_BYTES + tariff_bytes(&terms.tariff);
            StoreEntry {
                terms: terms.clone(),
                known: Vec::new(),
                own: HashMap::new(),
            }
        });
        // The terms of a version never change, so their size is counted only once.
        entry.terms = terms.clone();
    }

    pub(super) fn get(
        &self,
        store: StoreId,
        terms: &Terms,
        sku: &str,
    ) -> Option<(Arc<str>, Arc<Offered>)> {
        let (sku, shared) = self.offers.get_key_value(sku)?;
        if !terms.has_own_prices {
            return Some((Arc::clone(sku), Arc::clone(&shared.offered)));
        }
        let entry = self.stores.get(&store)?;
        // Without this bit, an own price of the SKU may exist that was never read.
        if !entry.is_known(shared.index) {
            return None;
        }
        let offered = entry.own.get(&shared.index).unwrap_or(&shared.offered);
        Some((Arc::clone(sku), Arc::clone(offered)))
    }

    pub(super) fn put(
        &mut self,
        store: StoreId,
        terms: &Terms,
        sku: &Arc<str>,
        offered: &Arc<Offered>,
    ) {
        let has_own = offered.prices.iter().any(is_own);
        // Indexes stay unique because a generation never removes an entry.
        let next = self.offers.len();
        let shared = self.offers.entry(Arc::clone(sku)).or_insert_with(|| {
            // Other stores must not see this store's own prices.
            let offered = if has_own {
                Arc::new(without_own_prices(offered))
            } else {
                Arc::clone(offered)
            };
            self.bytes += ENTRY_BYTES + offered_bytes(&offered);
            Shared {
                index: next,
                offered,
            }
        });
        let index = shared.index;
        let variant = Arc::clone(&shared.offered.variant);
        if !self.stores.contains_key(&store) {
            self.set_terms(store, terms);
        }
        if !terms.has_own_prices {
            return;
        }
        let Some(entry) = self.stores.get_mut(&store) else {
            return;
        };
        self.bytes += entry.mark_known(index);
        if has_own {
            let prices = offered.prices.clone();
            self.bytes += ENTRY_BYTES + prices_bytes(&prices);
            let own = Arc::new(Offered { variant, prices });
            entry.own.insert(index, own);
        }
    }
}

impl StoreEntry {
    fn is_known(&self, index: usize) -> bool {
        let bits = self.known.get(index / 64).copied().unwrap_or_default();
        bits & (1 << (index % 64)) != 0
    }

    fn mark_known(&mut self, index: usize) -> usize {
        let (word, before) = (index / 64, self.known.capacity());
        if self.known.len() <= word {
            self.known.resize(word + 1, 0);
        }
        if let Some(bits) = self.known.get_mut(word) {
            *bits |= 1 << (index % 64);
        }
        (self.known.capacity() - before) * size_of::<u64>()
    }
}

fn is_own(price: &ListPrice) -> bool {
    price.store.is_some()
}

fn without_own_prices(offered: &Offered) -> Offered {
    let shared = offered.prices.iter().filter(|price| !is_own(price));
    Offered {
        variant: Arc::clone(&offered.variant),
        prices: shared.cloned().collect(),
    }
}

fn offered_bytes(offered: &Offered) -> usize {
    size_of::<Offered>() + variant_bytes(&offered.variant) + prices_bytes(&offered.prices)
}

fn prices_bytes(prices: &[ListPrice]) -> usize {
    let price = |price: &ListPrice| size_of::<ListPrice>() + price.sku.len();
    prices.iter().map(price).sum()
}

fn variant_bytes(variant: &Variant) -> usize {
    let product_name = variant.product.name.as_ref().map_or(0, String::len);
    let names = variant.sku.len() + variant.name.len() + variant.product.id.len() + product_name;
    let option =
        |(name, value): &(String, String)| 2 * size_of::<String>() + name.len() + value.len();
    size_of::<Variant>()
        + names
        + variant.options.iter().map(option).sum::<usize>()
        + texts_bytes(&variant.ship_classes)
        + variant.areas.iter().map(area_bytes).sum::<usize>()
}

fn area_bytes(area: &PrintArea) -> usize {
    size_of::<PrintArea>() + area.texts_bytes() + texts_bytes(&area.require_for)
}

fn texts_bytes(texts: &[String]) -> usize {
    let bytes = |text: &String| size_of::<String>() + text.len();
    texts.iter().map(bytes).sum()
}

fn tariff_bytes(tariff: &Tariff) -> usize {
    let shipping = &tariff.shipping;
    let places = shipping.zones().iter().map(|zone| zone.places.len());
    let rows = shipping.rates().len() + places.sum::<usize>() + tariff.fees.rules().len();
    size_of::<Tariff>() + rows * TARIFF_ROW_BYTES
}
