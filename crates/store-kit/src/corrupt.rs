//! Reports stored values that cannot be read, with table, column and row.

use pressline_domain::error::{RepositoryError, Source};

/// Identity of a row, for errors: name of the table, and the parts of the row's primary key.
#[derive(Clone, Copy)]
pub(crate) struct StoredRow<'a>(pub(crate) &'static str, pub(crate) &'a [&'a str]);

impl StoredRow<'_> {
    /// Returns `value`. Adds the table, the row's key and `column` to an error.
    pub(crate) fn read<T, E: Into<Source>>(
        &self,
        column: &'static str,
        value: Result<T, E>,
    ) -> Result<T, RepositoryError> {
        value.map_err(|error| self.corrupt(column, error))
    }

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

    pub(crate) fn read_option<S, T, E: Into<Source>>(
        &self,
        column: &'static str,
        stored: Option<S>,
        read: impl FnOnce(S) -> Result<T, E>,
    ) -> Result<Option<T>, RepositoryError> {
        self.read(column, stored.map(read).transpose())
    }
}
