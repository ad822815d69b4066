//! What an import does to the rows that are there.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::ops::Range;
use std::sync::{Arc, Weak};

use pressline_domain::catalog::{ListPrice, Variant};
use pressline_domain::ports::{ChangeKind, ImportOptions, Imported, RepositoryError};

use crate::{PriceRow, VariantRow};

/// A row that is imported.
pub trait ImportRow: Clone + PartialEq {
    /// What names the row, in the order of its table's key.
    type Key: Ord + Hash;

    /// What names the row.
    fn key(&self) -> Self::Key;

    /// The variant that the row is or belongs to.
    fn sku(key: &Self::Key) -> &str;
}

/// A table that is imported into, within a transaction.
pub trait ImportTable<R: ImportRow> {
    /// What ends the work early.
    type Failure: From<RepositoryError>;

    /// The rows that are there with the keys of these.
    ///
    /// # Errors
    /// What the database says.
    fn there(&mut self, rows: &[R]) -> Result<Vec<R>, Self::Failure>;

    /// Adds rows or replaces those that are there.
    ///
    /// # Errors
    /// What the database says.
    fn write(&mut self, writes: &[Write<'_, R>]) -> Result<(), Self::Failure>;

    /// The keys of all rows that go where they do not come with an import of these.
    ///
    /// # Errors
    /// What the database says.
    fn all(&mut self, rows: &[R]) -> Result<Vec<R::Key>, Self::Failure>;

    /// Retires or removes rows.
    ///
    /// # Errors
    /// What the database says.
    fn retire(&mut self, keys: &[R::Key]) -> Result<(), Self::Failure>;
}

/// Who waits for an import. Once it is dropped the import ends, undone.
#[derive(Debug, Default)]
pub struct Caller(Arc<()>);

/// Whether somebody still waits.
#[derive(Debug, Clone)]
pub struct Awaited(Weak<()>);

impl Caller {
    /// What the import looks at.
    #[must_use]
    pub fn awaited(&self) -> Awaited {
        Awaited(Arc::downgrade(&self.0))
    }
}

impl Awaited {
    fn check(&self) -> Result<(), RepositoryError> {
        match self.0.strong_count() {
            0 => Err(RepositoryError::Unavailable("nobody waits for the import any more".into())),
            _ => Ok(()),
        }
    }
}

/// Rows that are looked at, and written, together.
const CHUNK: usize = 1000;

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
        (self.store_id.clone(), self.sku.clone(), self.currency.clone(), self.valid_from)
    }

    fn sku(key: &Self::Key) -> &str {
        &key.1
    }
}

/// An import: the rows that it brings, and what came of those that were looked at.
#[derive(Debug, Clone)]
pub struct ImportPlan<R> {
    /// One for each key, sorted by it. Of those that came with one key the last.
    rows: Vec<R>,
    /// How many came.
    given: usize,
    imported: Imported,
}

impl ImportPlan<VariantRow> {
    /// Of variants.
    ///
    /// # Errors
    /// As [`VariantRow::of`].
    pub fn of_variants(variants: &[Variant]) -> Result<Self, RepositoryError> {
        let rows = variants.iter().map(VariantRow::of).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::of(rows.into_iter()))
    }
}

impl ImportPlan<PriceRow> {
    /// Of prices.
    #[must_use]
    pub fn of_prices(prices: &[ListPrice]) -> Self {
        Self::of(prices.iter().map(PriceRow::of))
    }
}

impl<R: ImportRow> ImportPlan<R> {
    fn of(rows: impl ExactSizeIterator<Item = R>) -> Self {
        let given = rows.len();
        let rows: BTreeMap<R::Key, R> = rows.map(|row| (row.key(), row)).collect();
        Self { rows: rows.into_values().collect(), given, imported: Imported::default() }
    }

    /// The rows, one for each key, sorted by it.
    #[must_use]
    pub fn rows(&self) -> &[R] {
        &self.rows
    }

    /// Imports the rows, or only counts what would come of it, within the transaction that the table is in.
    ///
    /// # Errors
    /// What the table says, and [`RepositoryError::Unavailable`] once nobody waits for it: the transaction is to be
    /// undone then.
    pub fn run<T: ImportTable<R>>(
        &mut self,
        table: &mut T,
        options: &ImportOptions,
        awaited: &Awaited,
    ) -> Result<Imported, T::Failure> {
        self.imported = Imported::default();
        for from in (0..self.rows.len()).step_by(CHUNK) {
            awaited.check()?;
            let places = from..self.rows.len().min(from.saturating_add(CHUNK));
            let done = places.end;
            let there = table.there(self.rows.get(places.clone()).unwrap_or_default())?;
            let writes = self.compare(places, there);
            if !options.dry_run && !writes.is_empty() {
                table.write(&writes)?;
            }
            options.done(done);
        }
        if options.retire_missing {
            self.retire_missing(table, options, awaited)?;
        }
        options.done(self.given);
        let mut imported = std::mem::take(&mut self.imported);
        imported.changes.sort_by(|(_, one), (_, other)| one.cmp(other));
        Ok(imported)
    }

    /// Counts the rows at some places against those that are there with their keys, and answers those that have to be
    /// written.
    fn compare(&mut self, places: Range<usize>, there: Vec<R>) -> Vec<Write<'_, R>> {
        let mut there: HashMap<R::Key, R> = there.into_iter().map(|row| (row.key(), row)).collect();
        let mut writes = Vec::new();
        for row in self.rows.get(places).unwrap_or_default() {
            let key = row.key();
            let old = there.remove(&key);
            self.imported.count(old.as_ref(), row, R::sku(&key));
            if old.as_ref() != Some(row) {
                writes.push(Write { row, old });
            }
        }
        writes
    }

    fn retire_missing<T: ImportTable<R>>(
        &mut self,
        table: &mut T,
        options: &ImportOptions,
        awaited: &Awaited,
    ) -> Result<(), T::Failure> {
        let mut missing = table.all(&self.rows)?;
        missing.retain(|key| self.rows.binary_search_by(|row| row.key().cmp(key)).is_err());
        for keys in missing.chunks(CHUNK) {
            awaited.check()?;
            if !options.dry_run {
                table.retire(keys)?;
            }
            self.imported.retired += keys.len();
            let retired = keys.iter().map(|key| (ChangeKind::Retired, R::sku(key).to_owned()));
            self.imported.changes.extend(retired);
        }
        Ok(())
    }
}

/// A row that an import has to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write<'a, R> {
    /// The row.
    pub row: &'a R,
    /// The one that it replaces; none where it is new.
    pub old: Option<R>,
}
