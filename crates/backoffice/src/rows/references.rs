//! What the rows of an import refer to: stores, SKUs and zones.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use pressline_domain::catalog::ListPrice;
use pressline_domain::id::StoreId;
use pressline_domain::money::Currency;
use pressline_domain::pricing::tariff::FeeSchedule;
use pressline_domain::store::Store;
use pressline_kit::nearest::{nearest, suggestion};

use super::row::Row;

/// What rows may refer to.
#[derive(Debug, Default)]
pub struct References {
    /// The stores.
    pub stores: Vec<Store>,
    /// Those SKUs of the rows that the catalog has.
    pub skus: HashSet<String>,
    /// Similar SKUs of the catalog for those that it doesn't have.
    pub similar: HashMap<String, Vec<String>>,
    /// The names of the shipping zones.
    pub zones: Vec<String>,
    /// What stored prices and fees still refer to.
    pub former: FormerReferences,
}

/// What stored prices and rules of fees refer to, although stores or shipping rates have changed
/// since. New rows may refer to it as well, so that an export of them can be imported again.
#[derive(Debug, Default)]
pub struct FormerReferences {
    /// Currencies of stored prices and rules of stores, among them those that a store had before.
    currencies: HashSet<(StoreId, Currency)>,
    /// Zones of stored rules, among them those that the shipping rates no longer have.
    zones: HashSet<String>,
}

impl FormerReferences {
    /// Returns what price lists refer to.
    pub fn of_prices(prices: &[ListPrice]) -> Self {
        let currencies = prices
            .iter()
            .filter_map(|price| Some((price.store?, price.currency)));
        Self {
            currencies: currencies.collect(),
            zones: HashSet::new(),
        }
    }

    /// Returns what schedules of fees refer to.
    pub fn of_fees(schedules: &[(Option<StoreId>, FeeSchedule)]) -> Self {
        let mut former = Self::default();
        for (store, schedule) in schedules {
            for rule in schedule.rules() {
                // The service's own rules may be in any currency.
                let currency = store.map(|store| (store, rule.currency));
                former.currencies.extend(currency);
                former.zones.extend(rule.zones.iter().cloned());
            }
        }
        former
    }
}

/// Returns the store of an id or a prefix.
pub fn find_store<'s>(stores: &'s [Store], name: &str) -> Option<&'s Store> {
    let id = name.parse::<StoreId>().ok();
    let has_prefix = |store: &Store| store.prefix.as_str().eq_ignore_ascii_case(name);
    stores
        .iter()
        .find(|store| has_prefix(store) || id == Some(store.id))
}

/// Says that a name is that of no store, and which ones are similar.
pub fn unknown_store(stores: &[Store], name: &str) -> String {
    let prefixes = stores.iter().map(|store| store.prefix.as_str());
    let similar = suggestion(&nearest(&name.to_ascii_uppercase(), prefixes, 3));
    format!("`{name}` is neither the id nor the prefix of a store{similar}")
}

/// Returns the name of a store in rows; empty for the service itself.
pub(crate) fn store_name(stores: &[Store], id: Option<StoreId>) -> String {
    let Some(id) = id else { return String::new() };
    let store = stores.iter().find(|store| store.id == id);
    store.map_or_else(|| id.to_string(), |store| store.prefix.to_string())
}

impl References {
    /// Returns the store that a row names, `Some(None)` where it is for the service itself, and
    /// `None` where there is no such store.
    pub(crate) fn store_of<'r>(&'r self, row: &mut Row) -> Option<Option<&'r Store>> {
        let name = row.text("store");
        if name.is_empty() {
            return Some(None);
        }
        let found = find_store(&self.stores, &name);
        if found.is_none() {
            row.problem("store", unknown_store(&self.stores, &name));
        }
        found.map(Some)
    }

    /// A store's prices and fees are in its currency, or in one in which it has some stored.
    pub(crate) fn allows_currency(&self, store: &Store, currency: Currency) -> bool {
        store.currency == currency || self.former.currencies.contains(&(store.id, currency))
    }

    pub(crate) fn has_zone(&self, name: &String) -> bool {
        self.zones.contains(name) || self.former.zones.contains(name)
    }

    pub(crate) fn check_sku(&self, row: &mut Row, column: &str, sku: &str) {
        if sku.is_empty() || self.skus.contains(sku) {
            return;
        }
        let similar = self.similar.get(sku).map(Vec::as_slice).unwrap_or_default();
        let message = format!("`{sku}` is not in the catalog{}", suggestion(similar));
        row.problem(column, message);
    }
}

/// Returns the line in which a key was met before. Several entries of a list can be in one line.
pub(crate) fn earlier_line<K: Eq + Hash>(
    lines: &mut HashMap<K, u64>,
    key: K,
    line: u64,
) -> Option<u64> {
    match lines.entry(key) {
        Entry::Occupied(entry) => Some(*entry.get()),
        Entry::Vacant(entry) => {
            entry.insert(line);
            None
        }
    }
}
