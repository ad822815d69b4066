//! Imports of files by operators, in the console and over the operators' API: permissions and
//! scopes.

mod draft;
mod service;

use crate::import::catalog::Accepted;
use crate::rows::{Content, Findings};
use crate::store::StoreError;
use pressline_domain::check::report::Report;
use pressline_domain::error::RepositoryError;
use pressline_domain::value::id::StoreId;

pub use draft::{CatalogFile, ImportDraft, ImportFile, OrderFile};
pub use service::{ImportServices, OperatorImports};

/// Error of an import, apart from findings about rows.
#[derive(Debug, thiserror::Error)]
pub enum FileImportError {
    /// Fields of the request are invalid.
    #[error("the request has invalid fields")]
    Invalid(Report),
    /// The store does not exist, is outside the operator's scope, or cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store with this id is disabled, so no orders can be placed in it.
    #[error("the store {0} is disabled; enable it first")]
    Disabled(StoreId),
    /// The operator is bound to some stores, so it cannot import the catalog of all stores.
    #[error("this operator is bound to some stores, but the catalog belongs to all stores")]
    Bound,
    /// The file has no entries of the given kind, [`Content::Variants`] or [`Content::Shipping`].
    /// The import would retire or remove all stored entries of the kind.
    #[error("there is nothing to import, and everything stored would be removed")]
    Empty(Content),
    /// A repository call failed.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
}

/// Result of a catalog import: the number of rows, and the changes or findings.
#[derive(Debug)]
pub struct CatalogImported {
    /// Number of rows in the file; 0 if the file cannot be divided into rows.
    pub rows: usize,
    /// Changes that the import made, or would make in a dry run; `Err` with the findings about rows
    /// if any row is wrong.
    pub result: Result<Accepted, Findings>,
}
