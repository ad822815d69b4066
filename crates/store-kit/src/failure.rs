//! Errors within the work of a call.

use pressline_domain::error::RepositoryError;

/// Error that ends the work on a connection early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Error of diesel or the database.
    #[error(transparent)]
    Database(#[from] diesel::result::Error),
    /// Error of the adapter or the domain.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
}
