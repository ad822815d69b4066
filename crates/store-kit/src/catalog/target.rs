//! Rows of an import, and the table that it writes to.

use std::hash::Hash;

use crate::failure::Failure;

/// A row that an import inserts or replaces, identified by its primary key.
pub trait ImportRow: Clone + PartialEq {
    /// Primary key; sorts like the table's primary key.
    type Key: Clone + Ord + Hash;

    /// Returns the primary key of the row.
    fn key(&self) -> Self::Key;

    /// Returns the SKU in `key`: the row's own or its variant's.
    fn sku(key: &Self::Key) -> &str;
}

/// Table that an import writes to.
pub trait ImportTarget<R: ImportRow> {
    /// Inserts rows or replaces stored rows.
    ///
    /// # Errors
    /// Returns an error if a statement fails.
    fn write(&mut self, writes: &[Write<R>]) -> Result<(), Failure>;

    /// Retires or deletes the rows with `keys`.
    ///
    /// # Errors
    /// Returns an error if a statement fails.
    fn retire(&mut self, keys: &[R::Key]) -> Result<(), Failure>;
}

/// Number of rows that are compared or written together.
pub(super) const CHUNK: usize = 1000;

/// Row that an import has to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write<R> {
    /// New row.
    pub row: R,
    /// Stored row that `row` replaces; `None` if `row` is new.
    pub old: Option<R>,
}
