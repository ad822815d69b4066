//! Error of the work on a database connection.

use pressline_domain::error::RepositoryError;

/// Error that ends the work on a connection early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Error that diesel or the database reports.
    #[error(transparent)]
    Database(#[from] diesel::result::Error),
    /// Error that the adapter or the domain reports.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
}
