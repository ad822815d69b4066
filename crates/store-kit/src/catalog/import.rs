//! Compares an import with the stored rows, and writes the changes.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use pressline_domain::catalog::product_names::{ImportedProducts, StoredVariant};
use pressline_domain::catalog::{ChangeKind, ImportOptions, ImportSummary, ListPrice, Variant};
use pressline_domain::error::RepositoryError;

use super::cancel::CancelToken;
use super::price::{PriceKey, PriceRow};
use super::variant::VariantRow;
use crate::failure::Failure;

/// Maximum number of rows between two checks that the import's caller still waits.
const CHUNK: usize = 1000;

/// A row that an import inserts or replaces, identified by its primary key.
pub trait ImportRow: Clone + PartialEq {
    /// Type of the primary key. `Ord` sorts keys as the database sorts the rows by primary key.
    type Key: Clone + Ord + Hash;

    /// Returns the primary key of the row.
    fn key(&self) -> Self::Key;

    /// Returns the SKU in `key`: the SKU of the variant, or of the variant that the price is for.
    fn sku(key: &Self::Key) -> &str;

    /// Compares the rows of `plan` with `table`, and returns the changes. Does not write.
    ///
    /// # Errors
    /// Same errors as the methods of `table`; [`RepositoryError::ProductTooLarge`];
    /// [`RepositoryError::Unavailable`] if the caller no longer waits.
    fn compare<T: ImportTable<Self>>(
        plan: &ImportPlan<Self>,
        table: &mut T,
        options: &ImportOptions,
        token: &CancelToken,
    ) -> Result<Changes<Self>, Failure>;
}

/// Catalog table to compare with an import. All calls belong to the same transaction.
pub trait ImportTable<R: ImportRow> {
    /// Returns the stored rows with `keys`, in any order.
    fn stored(&mut self, keys: &[R::Key]) -> Result<Vec<R>, Failure>;

    /// Returns the stored keys that an import of `rows` with `retire_missing` retires unless `rows`
    /// has them: the keys of all variants on sale or, for prices, of all prices in the price lists
    /// of `rows`. `rows` must be sorted by key.
    fn all(&mut self, rows: &[R]) -> Result<Vec<R::Key>, Failure>;

    /// Returns all stored variants of the products `ids`, including retired variants. Not called
    /// for imports of prices.
    fn of_products(&mut self, _ids: &[&str]) -> Result<Vec<StoredVariant>, Failure> {
        Ok(Vec::new())
    }
}

impl ImportRow for VariantRow {
    type Key = String;

    fn key(&self) -> String {
        self.sku.clone()
    }

    fn sku(key: &String) -> &str {
        key
    }

    fn compare<T: ImportTable<Self>>(
        plan: &ImportPlan<Self>,
        table: &mut T,
        options: &ImportOptions,
        token: &CancelToken,
    ) -> Result<Changes<Self>, Failure> {
        let (rows, renamed) = plan.with_product_names(table, options)?;
        let mut comparison = Comparison::new(plan, options, token);
        comparison.compare(table, &rows)?;
        comparison.rename(table, renamed)?;
        Ok(comparison.changes.sorted())
    }
}

impl ImportRow for PriceRow {
    type Key = PriceKey;

    fn key(&self) -> Self::Key {
        (
            self.store_id.clone(),
            self.sku.clone(),
            self.currency.clone(),
            self.valid_from,
        )
    }

    fn sku(key: &Self::Key) -> &str {
        &key.1
    }

    fn compare<T: ImportTable<Self>>(
        plan: &ImportPlan<Self>,
        table: &mut T,
        options: &ImportOptions,
        token: &CancelToken,
    ) -> Result<Changes<Self>, Failure> {
        let mut comparison = Comparison::new(plan, options, token);
        comparison.compare(table, &plan.rows)?;
        Ok(comparison.changes.sorted())
    }
}

/// New product names of stored variants outside the import, by SKU. `None` removes the name.
type NewNames = BTreeMap<String, Option<String>>;

/// Rows of an import, without repeated keys.
#[derive(Debug, Clone)]
pub struct ImportPlan<R> {
    /// Sorted by key. The last of several rows with the same key is kept.
    rows: Vec<R>,
    /// Includes rows with repeated keys.
    given: usize,
}

impl ImportPlan<VariantRow> {
    /// Plans an import of `variants`. If a SKU occurs several times, only its last variant is imported.
    pub fn of_variants(variants: &[Variant]) -> Result<Self, RepositoryError> {
        let rows = variants
            .iter()
            .map(VariantRow::new)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self::new(rows.into_iter()))
    }

    /// Returns the rows of the plan with the product names that they have after the import.
    fn with_product_names<T: ImportTable<VariantRow>>(
        &self,
        table: &mut T,
        options: &ImportOptions,
    ) -> Result<(Vec<VariantRow>, NewNames), Failure> {
        let position = |sku: &str| self.rows.binary_search_by(|row| row.sku.as_str().cmp(sku));
        let mut products = ImportedProducts::default();
        self.rows
            .iter()
            .for_each(|row| products.add(&row.product(), row.retired));
        let product_ids: Vec<String> = products.ids().map(str::to_owned).collect();
        let mut others = Vec::new();
        for chunk in product_ids.chunks(CHUNK) {
            let ids: Vec<&str> = chunk.iter().map(String::as_str).collect();
            for stored in table.of_products(&ids)? {
                let comes_again = position(&stored.sku).is_ok();
                products.add_stored(&stored, !comes_again && !options.retire_missing);
                if !comes_again {
                    others.push(stored);
                }
            }
        }
        products.check()?;
        let name = |id: &str| products.name(id).map(str::to_owned);
        // Variants of a product outside the import get the product's new name too.
        let mut rows = self.rows.clone();
        for row in &mut rows {
            row.product_name = name(row.product_id());
        }
        others.retain(|other| other.product.name != name(&other.product.id));
        let renamed = others
            .into_iter()
            .map(|other| (other.sku, name(&other.product.id)));
        Ok((rows, renamed.collect()))
    }
}

impl ImportPlan<PriceRow> {
    /// Plans an import of `prices`. If a key occurs several times, only its last price is imported.
    pub fn of_prices(prices: &[ListPrice]) -> Self {
        Self::new(prices.iter().map(PriceRow::new))
    }
}

impl<R: ImportRow> ImportPlan<R> {
    fn new(rows: impl ExactSizeIterator<Item = R>) -> Self {
        let given = rows.len();
        let rows: BTreeMap<R::Key, R> = rows.map(|row| (row.key(), row)).collect();
        Self {
            rows: rows.into_values().collect(),
            given,
        }
    }

    /// Returns the rows of the import, a row per key, sorted by key.
    pub fn rows(&self) -> &[R] {
        &self.rows
    }
}

struct Comparison<'a, R: ImportRow> {
    options: &'a ImportOptions,
    token: &'a CancelToken,
    changes: Changes<R>,
}

impl<'a, R: ImportRow> Comparison<'a, R> {
    fn new(plan: &ImportPlan<R>, options: &'a ImportOptions, token: &'a CancelToken) -> Self {
        Self {
            options,
            token,
            changes: Changes::new(plan.given),
        }
    }

    /// Requires `rows` sorted by key. Adds differences to `self.changes`.
    fn compare<T: ImportTable<R>>(&mut self, table: &mut T, rows: &[R]) -> Result<(), Failure> {
        let mut compared = 0;
        for rows in rows.chunks(CHUNK) {
            self.token.check()?;
            let keys: Vec<R::Key> = rows.iter().map(R::key).collect();
            let stored_rows = table.stored(&keys)?;
            let mut stored: HashMap<R::Key, R> = stored_rows
                .into_iter()
                .map(|row| (row.key(), row))
                .collect();
            for (row, key) in rows.iter().zip(&keys) {
                let old = stored.remove(key);
                self.changes.imported.count(old.as_ref(), row, R::sku(key));
                if old.as_ref() != Some(row) {
                    self.changes.writes.push(Write {
                        row: row.clone(),
                        old,
                    });
                }
            }
            compared += rows.len();
            // A dry run ends after the comparison. Otherwise writing takes at least as long as
            // comparing.
            self.options.done(if self.options.dry_run {
                compared
            } else {
                compared / 2
            });
        }
        // Nothing is left to write, so the progress is complete.
        if self.options.dry_run || self.changes.writes.is_empty() {
            self.options.done(self.changes.given);
        }
        if self.options.retire_missing {
            self.retire_missing(table, rows)?;
        }
        Ok(())
    }

    fn retire_missing<T: ImportTable<R>>(
        &mut self,
        table: &mut T,
        rows: &[R],
    ) -> Result<(), Failure> {
        self.token.check()?;
        let mut missing = table.all(rows)?;
        // `rows` is sorted by key.
        missing.retain(|key| rows.binary_search_by(|row| row.key().cmp(key)).is_err());
        self.changes.imported.retired = missing.len();
        let retired = missing
            .iter()
            .map(|key| (ChangeKind::Retired, R::sku(key).to_owned()));
        self.changes.imported.changes.extend(retired);
        self.changes.retired = missing;
        Ok(())
    }
}

impl Comparison<'_, VariantRow> {
    fn rename<T: ImportTable<VariantRow>>(
        &mut self,
        table: &mut T,
        renamed: NewNames,
    ) -> Result<(), Failure> {
        let skus: Vec<String> = renamed.keys().cloned().collect();
        for skus in skus.chunks(CHUNK) {
            self.token.check()?;
            for old in table.stored(skus)? {
                let product_name = renamed.get(&old.sku).cloned().flatten();
                let row = VariantRow {
                    product_name,
                    ..old.clone()
                };
                // A variant that is also retired counts as retired.
                if !self.options.retire_missing || old.retired {
                    self.changes.imported.count(Some(&old), &row, &old.sku);
                }
                self.changes.writes.push(Write {
                    row,
                    old: Some(old),
                });
            }
        }
        Ok(())
    }
}

/// Table that an import writes to.
pub trait ImportTarget<R: ImportRow> {
    /// Inserts the row of each of `writes`, or replaces the stored row with the same key.
    fn write(&mut self, writes: &[Write<R>]) -> Result<(), Failure>;

    /// Retires the variants with `keys`, or deletes the prices with `keys`.
    fn retire(&mut self, keys: &[R::Key]) -> Result<(), Failure>;
}

/// Row that an import has to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write<R> {
    /// Row to store.
    pub row: R,
    /// Stored row that `row` replaces; `None` if `row` is new.
    pub old: Option<R>,
}

/// Changes to write to a catalog table, found by comparing an import with the table.
#[derive(Debug, Clone)]
pub struct Changes<R: ImportRow> {
    /// Numbers of new, changed, unchanged and retired rows, and the affected SKUs.
    pub imported: ImportSummary,
    given: usize,
    writes: Vec<Write<R>>,
    /// Keys of the variants to retire, or of the prices to delete.
    retired: Vec<R::Key>,
}

impl<R: ImportRow> Changes<R> {
    fn new(given: usize) -> Self {
        Self {
            imported: ImportSummary::default(),
            given,
            writes: Vec::new(),
            retired: Vec::new(),
        }
    }

    fn sorted(mut self) -> Self {
        self.imported
            .changes
            .sort_by(|(_, one), (_, other)| one.cmp(other));
        self
    }

    /// Returns `true` if no row has to be written, retired or deleted.
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty() && self.retired.is_empty()
    }

    /// Writes the changes to `table`. The rows of `table` must not have changed since the import
    /// was compared with them.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] if the caller no longer waits. After an error, the
    /// transaction must be rolled back.
    pub fn write<T: ImportTarget<R>>(
        &self,
        table: &mut T,
        options: &ImportOptions,
        token: &CancelToken,
    ) -> Result<(), Failure> {
        let mut written = 0;
        for writes in self.writes.chunks(CHUNK) {
            token.check()?;
            table.write(writes)?;
            written += writes.len();
            // The comparison counted as the first half of the progress.
            options.done(self.given / 2 + self.given.div_ceil(2) * written / self.writes.len());
        }
        for keys in self.retired.chunks(CHUNK) {
            token.check()?;
            table.retire(keys)?;
        }
        Ok(())
    }
}
