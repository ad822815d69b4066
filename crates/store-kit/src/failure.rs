//! Error of the work on a database connection.

use pressline_domain::error::{RepositoryError, Result};

/// Error that ends the work on a connection early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Error that diesel or the database reports.
    #[error(transparent)]
    Database(#[from] diesel::result::Error),
    /// Any other error, for example an outdated version or an invalid stored value.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
}

/// Converts each of `rows` to a value with `restore`.
pub fn restore_all<R, T>(
    rows: impl IntoIterator<Item = R>,
    restore: impl FnMut(R) -> Result<T>,
) -> Result<Vec<T>, Failure> {
    let values = rows.into_iter().map(restore);
    Ok(values.collect::<Result<_>>()?)
}
