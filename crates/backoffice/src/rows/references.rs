//! Objects that the rows of an import refer to: stores, SKUs and zones.

use std::collections::{HashMap, HashSet};

use super::row::Row;
use pressline_domain::catalog::ListPrice;
use pressline_domain::pricing::tariff::FeeSchedule;
use pressline_domain::store::Store;
use pressline_domain::value::{Currency, StoreId};
use pressline_kit::nearest::{nearest, suggestion};

/// Stores, SKUs and shipping zones that the rows of an import may refer to.
#[derive(Debug, Default)]
pub struct References {
    /// All stores of the print shop. Rows refer to a store by its id or prefix.
    pub stores: Vec<Store>,
    /// SKUs that the rows name and the catalog has.
    pub skus: HashSet<String>,
    /// Similar SKUs of the catalog, for each SKU that the rows name and the catalog does not have.
    pub similar: HashMap<String, Vec<String>>,
    /// Names of the shipping zones.
    pub zones: Vec<String>,
    /// Currencies and zones that stored prices and fees use, including outdated values.
    pub former: FormerReferences,
}

/// Currencies and zones in stored prices and fee rules, even if no store or shipping rate has them
/// any longer. Rows may have them too, so that an export can be imported again.
#[derive(Debug, Default)]
pub struct FormerReferences {
    currencies: HashSet<(StoreId, Currency)>,
    zones: HashSet<String>,
}

impl FormerReferences {
    /// Collects the currencies of the stores' prices. Prices without a store are ignored.
    pub fn of_prices(prices: &[ListPrice]) -> Self {
        let currencies = prices
            .iter()
            .filter_map(|price| Some((price.store?, price.currency)));
        Self {
            currencies: currencies.collect(),
            zones: HashSet::new(),
        }
    }

    /// Collects the currencies of the stores' fee rules, and the zones of all fee rules.
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

/// Returns the store with the id or prefix `name`, or `None`. The case of a prefix is ignored.
pub fn find_store<'s>(stores: &'s [Store], name: &str) -> Option<&'s Store> {
    let id = name.parse::<StoreId>().ok();
    let has_prefix = |store: &Store| store.prefix.as_str().eq_ignore_ascii_case(name);
    stores
        .iter()
        .find(|store| has_prefix(store) || id == Some(store.id))
}

/// Returns the error message for an unknown store `name`, with similar prefixes of `stores`.
pub fn unknown_store(stores: &[Store], name: &str) -> String {
    let prefixes = stores.iter().map(|store| store.prefix.as_str());
    let similar = suggestion(&nearest(&name.to_ascii_uppercase(), prefixes, 3));
    format!("`{name}` is neither the id nor the prefix of a store{similar}")
}

/// Returns the prefix; the id of an unknown store; an empty string for `None`, the service itself.
pub(crate) fn store_name(stores: &[Store], id: Option<StoreId>) -> String {
    let Some(id) = id else { return String::new() };
    let store = stores.iter().find(|store| store.id == id);
    store.map_or_else(|| id.to_string(), |store| store.prefix.to_string())
}

impl References {
    /// Returns the store in the column `store`; `Some(None)` for a blank cell: the row is for the
    /// service itself. Adds a finding and returns `None` if the store is unknown.
    pub(crate) fn store_of<'r>(&'r self, row: &mut Row) -> Option<Option<&'r Store>> {
        let name = row.text("store");
        if name.is_empty() {
            return Some(None);
        }
        let store = find_store(&self.stores, &name);
        if store.is_none() {
            row.problem("store", unknown_store(&self.stores, &name));
        }
        store.map(Some)
    }

    pub(crate) fn allows_currency(&self, store: &Store, currency: Currency) -> bool {
        store.currency == currency || self.former.currencies.contains(&(store.id, currency))
    }

    pub(crate) fn has_zone(&self, name: &str) -> bool {
        self.zones.iter().any(|zone| zone == name) || self.former.zones.contains(name)
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
