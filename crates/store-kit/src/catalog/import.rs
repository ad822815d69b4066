//! Compares an import with the stored rows and determines the changes.

use std::collections::{BTreeMap, HashMap};

use pressline_domain::catalog::product_names::{ImportedProducts, StoredVariant};
use pressline_domain::catalog::{ChangeKind, ImportOptions, ListPrice, Variant};
use pressline_domain::error::RepositoryError;

use super::cancel::CancelToken;
use super::changes::Changes;
use super::price::{PriceKey, PriceRow};
use super::target::{CHUNK, ImportRow, Write};
use super::variant::VariantRow;
use crate::failure::Failure;

/// Catalog table with stored rows to compare with an import. All calls belong to one transaction.
pub trait ImportTable<R: ImportRow> {
    /// Returns the stored rows with `keys`, in any order.
    ///
    /// # Errors
    /// Returns an error if the query fails.
    fn stored(&mut self, keys: &[R::Key]) -> Result<Vec<R>, Failure>;

    /// Returns the stored keys that an import of `rows` with `retire_missing` retires unless `rows`
    /// has them: the keys of all variants on sale or, for prices, of all prices in the price lists
    /// of `rows`. `rows` must be sorted by key.
    ///
    /// # Errors
    /// Returns an error if the query fails.
    fn all(&mut self, rows: &[R]) -> Result<Vec<R::Key>, Failure>;
}

/// Table of variants, with a look-up of all variants of a product.
pub trait VariantTable: ImportTable<VariantRow> {
    /// Returns all stored variants of the products `ids`, including retired variants.
    ///
    /// # Errors
    /// Returns an error if the query fails.
    fn of_products(&mut self, ids: &[&str]) -> Result<Vec<StoredVariant>, Failure>;
}

impl ImportRow for VariantRow {
    type Key = String;

    fn key(&self) -> String {
        self.sku.clone()
    }

    fn sku(key: &String) -> &str {
        key
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
}

/// New product names of stored variants that the import does not contain, keyed by SKU. `None`
/// removes the name.
type NewNames = BTreeMap<String, Option<String>>;

/// A row that an import compares with the table `T`.
pub trait ComparedRow<T>: ImportRow {
    /// Compares the rows of `plan` with `table`, and returns the changes. Does not write.
    ///
    /// # Errors
    /// Same errors as the methods of `table`; [`RepositoryError::ProductTooLarge`];
    /// [`RepositoryError::Unavailable`] if the caller no longer waits.
    fn compare(
        plan: &ImportPlan<Self>,
        table: &mut T,
        options: &ImportOptions,
        token: &CancelToken,
    ) -> Result<Changes<Self>, Failure>;
}

/// Rows of an import, without repeated keys.
#[derive(Debug, Clone)]
pub struct ImportPlan<R> {
    /// Rows sorted by key. The last of several rows with the same key is kept.
    rows: Vec<R>,
    /// Number of rows in the import, including rows with repeated keys.
    given: usize,
}

impl ImportPlan<VariantRow> {
    /// Creates the plan of an import of `variants`. If a SKU occurs several times, only its last
    /// variant is imported.
    ///
    /// # Errors
    /// Same errors as [`VariantRow::new`].
    pub fn of_variants(variants: &[Variant]) -> Result<Self, RepositoryError> {
        let rows = variants
            .iter()
            .map(VariantRow::new)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self::new(rows.into_iter()))
    }

    /// Returns the rows of the plan with the product names that they have after the import.
    fn with_product_names<T: VariantTable>(
        &self,
        table: &mut T,
        options: &ImportOptions,
    ) -> Result<(Vec<VariantRow>, NewNames), Failure> {
        let mut products = ImportedProducts::default();
        self.rows
            .iter()
            .for_each(|row| products.add(&row.product(), row.retired));
        let ids: Vec<String> = products.ids().map(str::to_owned).collect();
        let mut others = Vec::new();
        for ids in ids.chunks(CHUNK) {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            for stored in table.of_products(&ids)? {
                let comes_again = self.position(&stored.sku).is_ok();
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
    /// Creates the plan of an import of `prices`. If a key occurs several times, only its last
    /// price is imported.
    pub fn of_prices(prices: &[ListPrice]) -> Self {
        Self::new(prices.iter().map(PriceRow::new))
    }
}

impl<T: VariantTable> ComparedRow<T> for VariantRow {
    fn compare(
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

impl<T: ImportTable<PriceRow>> ComparedRow<T> for PriceRow {
    fn compare(
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

impl<R: ImportRow> ImportPlan<R> {
    fn new(rows: impl ExactSizeIterator<Item = R>) -> Self {
        let given = rows.len();
        // A later row replaces an earlier row with the same key.
        let rows: BTreeMap<R::Key, R> = rows.map(|row| (row.key(), row)).collect();
        Self {
            rows: rows.into_values().collect(),
            given,
        }
    }

    /// Returns the rows of the import, one per key, sorted by key.
    pub fn rows(&self) -> &[R] {
        &self.rows
    }
}

impl ImportPlan<VariantRow> {
    fn position(&self, sku: &str) -> Result<usize, usize> {
        self.rows.binary_search_by(|row| row.sku.as_str().cmp(sku))
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

    /// Compares `rows`, sorted by key, with the stored rows. Adds differences to `self.changes`.
    fn compare<T: ImportTable<R>>(&mut self, table: &mut T, rows: &[R]) -> Result<(), Failure> {
        let mut compared = 0;
        for rows in rows.chunks(CHUNK) {
            self.token.check()?;
            let keys: Vec<R::Key> = rows.iter().map(R::key).collect();
            let mut stored = by_key(table.stored(&keys)?);
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

fn by_key<R: ImportRow>(rows: Vec<R>) -> HashMap<R::Key, R> {
    rows.into_iter().map(|row| (row.key(), row)).collect()
}
