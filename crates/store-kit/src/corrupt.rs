//! Names the table, column and row of a stored value that cannot be read.

use pressline_domain::error::{RepositoryError, Source};

/// A row, as an error names it: the table, and the parts of the primary key.
#[derive(Clone, Copy)]
pub(crate) struct StoredRow<'a>(pub(crate) &'static str, pub(crate) &'a [&'a str]);

impl StoredRow<'_> {
    /// The value of a column, or the error that names it.
    pub(crate) fn read<T, E: Into<Source>>(
        &self,
        column: &'static str,
        value: Result<T, E>,
    ) -> Result<T, RepositoryError> {
        value.map_err(|error| self.corrupt(column, error))
    }

    /// The error that names a column.
    pub(crate) fn corrupt(
        &self,
        column: &'static str,
        error: impl Into<Source>,
    ) -> RepositoryError {
        RepositoryError::Corrupt {
            kind: self.0,
            field: column,
            key: self.1.join("/"),
            source: error.into(),
        }
    }

    /// The value of a column that may be empty.
    pub(crate) fn read_option<S, T, E: Into<Source>>(
        &self,
        column: &'static str,
        stored: Option<S>,
        read: impl FnOnce(S) -> Result<T, E>,
    ) -> Result<Option<T>, RepositoryError> {
        self.read(column, stored.map(read).transpose())
    }
}
