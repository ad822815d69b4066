//! The files that a shop brings and takes home: CSV or JSON, read whole or reported problem by problem.

pub(crate) mod catalog;
mod csv;
pub(crate) mod fees;
mod json;
pub(crate) mod prices;
mod row;
pub(crate) mod shipping;
mod table;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;

use pressline_domain::id::StoreId;
use pressline_domain::nearest::nearest;
use pressline_domain::store::Store;

use row::Row;
pub(crate) use table::{Sheet, Table};

/// A problem at one place of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Problem {
    /// From 1.
    pub(crate) line: u64,
    /// The column's name (CSV) or the key (JSON).
    pub(crate) column: String,
    /// What is wrong and what would be right.
    pub(crate) message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if !self.column.is_empty() {
            write!(f, ", {}", self.column)?;
        }
        write!(f, ": {}", self.message)
    }
}

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
    /// The name ends neither in .csv nor in .json.
    #[error("{0}: a name that ends in .csv or .json is needed, as it tells the format")]
    Kind(String),
    /// Rows that are wrong; nothing was imported.
    #[error("{path}: {} problems; nothing was imported", problems.len())]
    Bad { path: String, problems: Vec<Problem> },
}

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Csv,
    Json,
}

impl Format {
    /// The format that a file's name tells.
    pub(crate) fn of(path: &Path) -> Result<Self, FileError> {
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        match ending.as_deref() {
            Some("csv") => Ok(Self::Csv),
            Some("json") => Ok(Self::Json),
            _ => Err(FileError::Kind(path.display().to_string())),
        }
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
            row.problem("store", format!("`{name}` is neither the id nor the prefix of a store{near}"));
        }
        found.map(Some)
    }

    fn check_sku(&self, row: &mut Row, column: &str, sku: &str) {
        if !sku.is_empty() && !self.skus.contains(sku) {
            let near = self.near.get(sku).map(Vec::as_slice).unwrap_or_default();
            row.problem(column, format!("`{sku}` is not in the catalog{}", did_you_mean(near)));
        }
    }
}

/// Words that offer the nearest names; none where there are none.
pub(crate) fn did_you_mean<S: AsRef<str>>(near: &[S]) -> String {
    let names: Vec<String> = near.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    if names.is_empty() { String::new() } else { format!("; did you mean {}?", names.join(" or ")) }
}

#[cfg(test)]
mod tests;
