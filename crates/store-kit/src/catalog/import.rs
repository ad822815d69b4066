//! How an import is compared with the stored rows, and which of them it changes.

use std::collections::{BTreeMap, HashMap};

use pressline_domain::catalog::product_names::{ImportedProducts, StoredVariant};
use pressline_domain::catalog::{ChangeKind, ImportOptions, ListPrice, Variant};
use pressline_domain::error::RepositoryError;

use super::cancel::CancelToken;
use super::changes::Changes;
use super::target::{CHUNK, ImportRow, Write};
use crate::{PriceRow, VariantRow};

/// A table that an import is compared with, within a transaction.
pub trait ImportTable<R: ImportRow> {
    /// What ends the work early.
    type Failure: From<RepositoryError>;

    /// The stored rows with these keys, in any order.
    ///
    /// # Errors
    /// What the database says.
    fn stored(&mut self, keys: &[R::Key]) -> Result<Vec<R>, Self::Failure>;

    /// The keys of all stored rows that are retired or removed where they do not come with an
    /// import of these.
    ///
    /// # Errors
    /// What the database says.
    fn all(&mut self, rows: &[R]) -> Result<Vec<R::Key>, Self::Failure>;
}

/// The table of variants.
pub trait VariantTable: ImportTable<VariantRow> {
    /// All stored variants of these products, retired ones too.
    ///
    /// # Errors
    /// What the database says.
    fn of_products(&mut self, ids: &[&str]) -> Result<Vec<StoredVariant>, Self::Failure>;
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
    type Key = (String, String, String, i64);

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

/// The new product names of stored variants that an import does not contain, by SKU.
type NewNames = BTreeMap<String, Option<String>>;

/// The rows that an import brings.
#[derive(Debug, Clone)]
pub struct ImportPlan<R> {
    /// One for each key, sorted by it. Of those that came with one key the last.
    rows: Vec<R>,
    /// How many came.
    given: usize,
}

impl ImportPlan<VariantRow> {
    /// Of variants.
    ///
    /// # Errors
    /// As [`VariantRow::new`].
    pub fn of_variants(variants: &[Variant]) -> Result<Self, RepositoryError> {
        let rows = variants
            .iter()
            .map(VariantRow::new)
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self::new(rows.into_iter()))
    }

    /// Compares the variants with the stored ones. Only reads.
    ///
    /// # Errors
    /// What the table says, [`RepositoryError::ProductTooLarge`], and
    /// [`RepositoryError::Unavailable`] once its caller no longer waits.
    pub fn compare<T: VariantTable>(
        &self,
        table: &mut T,
        options: &ImportOptions,
        token: &CancelToken,
    ) -> Result<Changes<VariantRow>, T::Failure> {
        let mut comparison = Comparison {
            options,
            token,
            changes: Changes::new(self.given),
        };
        let (rows, renamed) = self.with_product_names(table, options)?;
        comparison.compare(table, &rows)?;
        if options.retire_missing {
            comparison.retire_missing(table, &rows)?;
        }
        comparison.rename(table, renamed)?;
        Ok(comparison.changes.sorted())
    }

    /// The rows with the names that their products get, and the new names for other stored
    /// variants.
    fn with_product_names<T: VariantTable>(
        &self,
        table: &mut T,
        options: &ImportOptions,
    ) -> Result<(Vec<VariantRow>, NewNames), T::Failure> {
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
        products.check().map_err(RepositoryError::from)?;
        let name = |id: &str| products.name(id).map(str::to_owned);
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
    /// Of prices.
    pub fn of_prices(prices: &[ListPrice]) -> Self {
        Self::new(prices.iter().map(PriceRow::new))
    }

    /// Compares the prices with the stored ones. Only reads.
    ///
    /// # Errors
    /// What the table says, and [`RepositoryError::Unavailable`] once its caller no longer waits.
    pub fn compare<T: ImportTable<PriceRow>>(
        &self,
        table: &mut T,
        options: &ImportOptions,
        token: &CancelToken,
    ) -> Result<Changes<PriceRow>, T::Failure> {
        let mut comparison = Comparison {
            options,
            token,
            changes: Changes::new(self.given),
        };
        comparison.compare(table, &self.rows)?;
        if options.retire_missing {
            comparison.retire_missing(table, &self.rows)?;
        }
        Ok(comparison.changes.sorted())
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

    /// The rows, one for each key, sorted by it.
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

impl<R: ImportRow> Comparison<'_, R> {
    /// Compares rows, sorted by key, with the stored ones.
    fn compare<T: ImportTable<R>>(&mut self, table: &mut T, rows: &[R]) -> Result<(), T::Failure> {
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
            // A dry run ends here. Writing takes about as long as comparing, or longer.
            self.options.done(if self.options.dry_run {
                compared
            } else {
                compared / 2
            });
        }
        if self.options.dry_run || self.changes.writes.is_empty() {
            self.options.done(self.changes.given);
        }
        Ok(())
    }

    fn retire_missing<T: ImportTable<R>>(
        &mut self,
        table: &mut T,
        rows: &[R],
    ) -> Result<(), T::Failure> {
        self.token.check()?;
        let mut missing = table.all(rows)?;
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
    /// Gives variants that do not come with the import the new names of their products.
    fn rename<T: ImportTable<VariantRow>>(
        &mut self,
        table: &mut T,
        renamed: NewNames,
    ) -> Result<(), T::Failure> {
        let skus: Vec<String> = renamed.keys().cloned().collect();
        for skus in skus.chunks(CHUNK) {
            self.token.check()?;
            for old in table.stored(skus)? {
                let product_name = renamed.get(&old.sku).cloned().flatten();
                let row = VariantRow {
                    product_name,
                    ..old.clone()
                };
                // One that is retired as well counts as retired.
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
