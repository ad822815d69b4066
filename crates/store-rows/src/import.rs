//! What an import does to the rows that are there.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::ops::Range;

use pressline_domain::catalog::{ListPrice, Variant};
use pressline_domain::ports::{ChangeKind, Imported, RepositoryError};

use crate::{PriceRow, VariantRow};

/// A row that is imported.
pub trait ImportRow: Clone + PartialEq {
    /// What names the row, in the order of its table's key.
    type Key: Ord + Hash;

    /// What names the row.
    fn key(&self) -> Self::Key;

    /// The variant that it is or belongs to.
    fn sku(&self) -> &str;
}

impl ImportRow for VariantRow {
    type Key = String;

    fn key(&self) -> String {
        self.sku.clone()
    }

    fn sku(&self) -> &str {
        &self.sku
    }
}

impl ImportRow for PriceRow {
    type Key = (String, String, String, i64);

    fn key(&self) -> Self::Key {
        (self.store_id.clone(), self.sku.clone(), self.currency.clone(), self.valid_from)
    }

    fn sku(&self) -> &str {
        &self.sku
    }
}

/// An import: the rows that it brings, and what came of those that were looked at.
#[derive(Debug, Clone)]
pub struct ImportPlan<R> {
    /// The rows, one for each key, sorted by it. Of those that came with one key the last.
    pub rows: Vec<R>,
    imported: Imported,
}

impl ImportPlan<VariantRow> {
    /// Of variants.
    ///
    /// # Errors
    /// As [`VariantRow::of`].
    pub fn of_variants(variants: &[Variant]) -> Result<Self, RepositoryError> {
        Ok(Self::of(variants.iter().map(VariantRow::of).collect::<Result<Vec<_>, _>>()?))
    }
}

impl ImportPlan<PriceRow> {
    /// Of prices.
    #[must_use]
    pub fn of_prices(prices: &[ListPrice]) -> Self {
        Self::of(prices.iter().map(PriceRow::of))
    }

    /// The stores, as rows name them, whose lists come.
    #[must_use]
    pub fn lists(&self) -> Vec<String> {
        let mut lists: Vec<String> = self.rows.iter().map(|row| row.store_id.clone()).collect();
        lists.dedup();
        lists
    }
}

impl<R: ImportRow> ImportPlan<R> {
    fn of(rows: impl IntoIterator<Item = R>) -> Self {
        let rows: BTreeMap<R::Key, R> = rows.into_iter().map(|row| (row.key(), row)).collect();
        Self { rows: rows.into_values().collect(), imported: Imported::default() }
    }

    /// Counts the rows at some places against those that are there with their keys, and answers those that have to be
    /// written.
    pub fn compare(&mut self, places: Range<usize>, there: Vec<R>) -> Vec<Write<'_, R>> {
        let there: HashMap<R::Key, R> = there.into_iter().map(|row| (row.key(), row)).collect();
        let mut writes = Vec::new();
        for row in self.rows.get(places).unwrap_or_default() {
            let old = there.get(&row.key());
            self.imported.count(old, row, row.sku());
            if old != Some(row) {
                writes.push(Write { row, is_new: old.is_none() });
            }
        }
        writes
    }

    /// Those of the keys that are there which do not come again, in their order.
    #[must_use]
    pub fn missing(&self, there: Vec<R::Key>) -> Vec<R::Key> {
        let comes = |key: &R::Key| self.rows.binary_search_by(|row| row.key().cmp(key)).is_ok();
        there.into_iter().filter(|key| !comes(key)).collect()
    }

    /// Takes down that a row is retired or removed.
    pub fn retire(&mut self, sku: &str) {
        self.imported.retired += 1;
        self.imported.changes.push((ChangeKind::Retired, sku.to_owned()));
    }

    /// True once a row was new, changed or retired.
    #[must_use]
    pub fn changes_something(&self) -> bool {
        !self.imported.changes.is_empty()
    }

    /// What came of it.
    #[must_use]
    pub fn imported(mut self) -> Imported {
        self.imported.changes.sort_by(|(_, one), (_, other)| one.cmp(other));
        self.imported
    }
}

/// A row that an import has to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Write<'a, R> {
    /// The row.
    pub row: &'a R,
    /// True where no row has its key.
    pub is_new: bool,
}
