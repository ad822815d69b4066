//! The target of an import: its rows and tables.

use std::hash::Hash;

use pressline_domain::error::RepositoryError;

/// A row that is imported.
pub trait ImportRow: Clone + PartialEq {
    /// What names the row, in the order of its table's key.
    type Key: Clone + Ord + Hash;

    /// What names the row.
    fn key(&self) -> Self::Key;

    /// The variant that the row is or belongs to.
    fn sku(key: &Self::Key) -> &str;
}

/// A table that is imported into.
pub trait ImportTarget<R: ImportRow> {
    /// What ends the work early.
    type Failure: From<RepositoryError>;

    /// Adds rows, or replaces those that are stored.
    ///
    /// # Errors
    /// What the database says.
    fn write(&mut self, writes: &[Write<R>]) -> Result<(), Self::Failure>;

    /// Retires or removes rows.
    ///
    /// # Errors
    /// What the database says.
    fn retire(&mut self, keys: &[R::Key]) -> Result<(), Self::Failure>;
}

/// Rows that are looked at, and written, together.
pub(super) const CHUNK: usize = 1000;

/// A row that an import has to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write<R> {
    /// The row.
    pub row: R,
    /// The one that it replaces; none where it is new.
    pub old: Option<R>,
}
