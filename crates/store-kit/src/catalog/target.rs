//! Rows of an import, and the table that the import writes to.

use std::hash::Hash;

use crate::failure::Failure;

/// A row that an import inserts or replaces, identified by its primary key.
pub trait ImportRow: Clone + PartialEq {
    /// Type of the primary key. `Ord` sorts keys as the database sorts the rows by primary key.
    type Key: Clone + Ord + Hash;

    /// Returns the primary key of the row.
    fn key(&self) -> Self::Key;

    /// Returns the SKU in `key`: the SKU of the variant, or of the variant that the price is for.
    fn sku(key: &Self::Key) -> &str;
}

/// Table that an import writes to.
pub trait ImportTarget<R: ImportRow> {
    /// Inserts the row of each of `writes`, or replaces the stored row with the same key.
    ///
    /// # Errors
    /// Returns an error if a statement fails.
    fn write(&mut self, writes: &[Write<R>]) -> Result<(), Failure>;

    /// Retires the variants with `keys`, or deletes the prices with `keys`.
    ///
    /// # Errors
    /// Returns an error if a statement fails.
    fn retire(&mut self, keys: &[R::Key]) -> Result<(), Failure>;
}

/// Maximum number of rows to compare or write between two checks that the caller of the import
/// still waits.
pub(super) const CHUNK: usize = 1000;

/// Row that an import has to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write<R> {
    /// Row to store.
    pub row: R,
    /// Stored row that `row` replaces; `None` if `row` is new.
    pub old: Option<R>,
}
