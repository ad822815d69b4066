//! The changes that an import found, and how they are written.

use pressline_domain::catalog::{ImportOptions, ImportSummary};

use super::cancel::CancelToken;
use super::target::{CHUNK, ImportRow, ImportTarget, Write};

/// What an import changes.
#[derive(Debug, Clone)]
pub struct Changes<R: ImportRow> {
    /// The changes, counted and named.
    pub imported: ImportSummary,
    /// How many rows came.
    pub(super) given: usize,
    pub(super) writes: Vec<Write<R>>,
    /// The keys of the rows to retire or to remove.
    pub(super) retired: Vec<R::Key>,
}

impl<R: ImportRow> Changes<R> {
    pub(super) fn new(given: usize) -> Self {
        Self {
            imported: ImportSummary::default(),
            given,
            writes: Vec::new(),
            retired: Vec::new(),
        }
    }

    pub(super) fn sorted(mut self) -> Self {
        self.imported
            .changes
            .sort_by(|(_, one), (_, other)| one.cmp(other));
        self
    }

    /// Whether nothing is to be written.
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty() && self.retired.is_empty()
    }

    /// Writes the changes. The rows must be as they were when they were compared.
    ///
    /// # Errors
    /// What the table says, and `RepositoryError::Unavailable` once its caller no longer waits:
    /// the transaction is to be undone then.
    pub fn write<T: ImportTarget<R>>(
        &self,
        table: &mut T,
        options: &ImportOptions,
        token: &CancelToken,
    ) -> Result<(), T::Failure> {
        let mut written = 0;
        for writes in self.writes.chunks(CHUNK) {
            token.check()?;
            table.write(writes)?;
            written += writes.len();
            // The first half was the comparison.
            options.done(self.given / 2 + self.given.div_ceil(2) * written / self.writes.len());
        }
        for keys in self.retired.chunks(CHUNK) {
            token.check()?;
            table.retire(keys)?;
        }
        Ok(())
    }
}
