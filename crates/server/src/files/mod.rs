//! The files that a shop brings and takes home: CSV or JSON, read whole or reported problem by
//! problem.

pub(crate) mod catalog;
mod csv;
pub(crate) mod fees;
mod json;
mod lines;
mod location;
pub(crate) mod prices;
mod problems;
mod quotes;
mod row;
pub(crate) mod shipping;
mod table;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use pressline_domain::catalog::ListPrice;
use pressline_domain::id::StoreId;
use pressline_domain::money::Currency;
use pressline_domain::pricing::tariff::FeeSchedule;
use pressline_domain::store::Store;
use pressline_kit::nearest::nearest;

pub(crate) use location::{Format, Location};
pub(crate) use problems::{Problem, Problems};
use row::Row;
pub(crate) use table::{Sheet, Table};

/// The most rows of a file, and in JSON entries of lists in it: a catalog of 100,000 products with
/// three print areas each has 300,000. A million rows take about 1 GB of memory while they are
/// read.
const MAX_ROWS: usize = 1_000_000;

/// Why a file gave nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    /// The file cannot be read.
    #[error("{path}: cannot be read")]
    Read {
        path: String,
        #[source]
        source: std::io::Error,
    },
    /// The file cannot be written.
    #[error("{path}: cannot be written")]
    Write {
        path: String,
        #[source]
        source: std::io::Error,
    },
    /// The file is larger than what is read.
    #[error("{0}: larger than 256 MiB; split it")]
    Size(String),
    /// Neither the name nor an option gives the format.
    #[error("{0}: add --format csv or --format json, as the name ends in neither .csv nor .json")]
    Kind(String),
    /// Rows that are wrong; nothing was imported.
    #[error("{path}: {}; nothing was imported", counted(problems.count()))]
    Bad { path: String, problems: Problems },
}

fn counted(problems: usize) -> String {
    if problems == 1 {
        "1 problem".to_owned()
    } else {
        format!("{problems} problems")
    }
}

/// What a file of one kind holds.
#[derive(Debug)]
pub(crate) struct Shape {
    /// Names in CSV and in JSON.
    columns: Columns,
    /// The columns that every CSV file has.
    required: &'static [&'static str],
    /// What parts key and value in a cell of pairs, such as `size=M`.
    pairs_by: char,
    /// What an entry has several of: rows that repeat the other cells in CSV, a list in JSON.
    nested: Option<Nested>,
}

/// Each column by its names in CSV and in JSON.
type Columns = &'static [(&'static str, &'static str)];

#[derive(Debug)]
struct Nested {
    key: &'static str,
    columns: Columns,
}

/// What files refer to that others keep.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// The stores.
    pub(crate) stores: Vec<Store>,
    /// Those SKUs of the file that the catalog has.
    pub(crate) skus: HashSet<String>,
    /// What SKUs that it doesn't have may stand for.
    pub(crate) near: HashMap<String, Vec<String>>,
    /// The names of the shipping zones.
    pub(crate) zones: Vec<String>,
    /// What stored prices and fees still refer to, so that an export of them can be imported again.
    pub(crate) former: Former,
}

/// What stored prices and rules of fees refer to, although stores or shipping rates have changed
/// since.
#[derive(Debug, Default)]
pub(crate) struct Former {
    /// Currencies of stored prices and rules of stores, among them those that a store had before.
    currencies: HashSet<(StoreId, Currency)>,
    /// Zones of stored rules, among them those that the shipping rates no longer have.
    zones: HashSet<String>,
}

impl Former {
    /// What price lists refer to.
    pub(crate) fn of_prices(prices: &[ListPrice]) -> Self {
        let currencies = prices
            .iter()
            .filter_map(|price| Some((price.store?, price.currency)));
        Self {
            currencies: currencies.collect(),
            zones: HashSet::new(),
        }
    }

    /// What schedules of fees refer to.
    pub(crate) fn of_fees(schedules: &[(Option<StoreId>, FeeSchedule)]) -> Self {
        let mut former = Self::default();
        for (store, schedule) in schedules {
            let currencies = schedule
                .rules
                .iter()
                .filter_map(|rule| Some(((*store)?, rule.currency)));
            former.currencies.extend(currencies);
            former.zones.extend(
                schedule
                    .rules
                    .iter()
                    .flat_map(|rule| rule.zones.iter().cloned()),
            );
        }
        former
    }
}

impl Known {
    /// The store of an id or a prefix.
    pub(crate) fn store(&self, name: &str) -> Option<&Store> {
        let named = |store: &&Store| {
            store.prefix.as_str().eq_ignore_ascii_case(name)
                || name.parse::<StoreId>().is_ok_and(|id| id == store.id)
        };
        self.stores.iter().find(named)
    }

    /// The stores' prefixes that a text may stand for, as words to add to a message.
    pub(crate) fn near_stores(&self, name: &str) -> String {
        let prefixes = self.stores.iter().map(|store| store.prefix.as_str());
        did_you_mean(&nearest(&name.to_ascii_uppercase(), prefixes, 3))
    }

    /// How files name a store.
    fn store_name(&self, id: Option<StoreId>) -> String {
        let Some(id) = id else { return String::new() };
        let store = self.stores.iter().find(|store| store.id == id);
        store.map_or_else(|| id.to_string(), |store| store.prefix.to_string())
    }

    /// The store of a row, `None` for the service itself; nothing where there is no such store.
    fn store_of<'k>(&'k self, row: &mut Row) -> Option<Option<&'k Store>> {
        let name = row.text("store");
        if name.is_empty() {
            return Some(None);
        }
        let found = self.store(&name);
        if found.is_none() {
            let near = self.near_stores(&name);
            row.problem(
                "store",
                format!("`{name}` is neither the id nor the prefix of a store{near}"),
            );
        }
        found.map(Some)
    }

    /// Whether a store's own prices and fees may be in a currency: its own one, or one in which it
    /// has some stored.
    fn allows(&self, store: &Store, currency: Currency) -> bool {
        store.currency == currency || self.former.currencies.contains(&(store.id, currency))
    }

    /// Whether rules of fees may name a zone.
    fn has_zone(&self, name: &String) -> bool {
        self.zones.contains(name) || self.former.zones.contains(name)
    }

    fn check_sku(&self, row: &mut Row, column: &str, sku: &str) {
        if !sku.is_empty() && !self.skus.contains(sku) {
            let near = self.near.get(sku).map(Vec::as_slice).unwrap_or_default();
            row.problem(
                column,
                format!("`{sku}` is not in the catalog{}", did_you_mean(near)),
            );
        }
    }
}

/// Returns the line in which a key was met before; notes the line of a new key. Several entries of
/// a JSON file can be in one line.
fn earlier<K: Eq + Hash>(lines: &mut HashMap<K, u64>, key: K, line: u64) -> Option<u64> {
    match lines.entry(key) {
        Entry::Occupied(entry) => Some(*entry.get()),
        Entry::Vacant(entry) => {
            entry.insert(line);
            None
        }
    }
}

/// Words that offer the nearest names; none where there are none.
pub(crate) fn did_you_mean<S: AsRef<str>>(near: &[S]) -> String {
    let names: Vec<String> = near
        .iter()
        .map(|name| format!("`{}`", name.as_ref()))
        .collect();
    if names.is_empty() {
        String::new()
    } else {
        format!("; did you mean {}?", names.join(" or "))
    }
}

#[cfg(test)]
mod tests;
