//! Changes of an import, and how they are written.

use pressline_domain::catalog::{ImportOptions, ImportSummary};

use super::cancel::CancelToken;
use super::target::{CHUNK, ImportRow, ImportTarget, Write};
use crate::failure::Failure;

/// Changes to write to a catalog table, found by comparing an import with the table.
#[derive(Debug, Clone)]
pub struct Changes<R: ImportRow> {
    /// Numbers of new, changed, unchanged and retired rows, and the affected SKUs.
    pub imported: ImportSummary,
    /// Number of rows in the import, including rows with repeated keys.
    pub(super) given: usize,
    pub(super) writes: Vec<Write<R>>,
    /// Keys of the variants to retire, or of the prices to delete.
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

    /// Returns `true` if no row has to be written, retired or deleted.
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty() && self.retired.is_empty()
    }

    /// Writes the changes to `table`. The rows of `table` must not have changed since the import
    /// was compared with them.
    ///
    /// # Errors
    /// Same errors as [`ImportTarget::write`] and [`ImportTarget::retire`];
    /// `RepositoryError::Unavailable` if the caller no longer waits. After an error, the
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
