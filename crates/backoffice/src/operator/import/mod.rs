//! Imports of files by operators, in the console and over the operators' API: who may import what, where.

mod draft;
mod service;

use crate::import::catalog::Accepted;
use crate::rows::{Content, Findings};
use crate::store::StoreError;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::StoreId;
use pressline_domain::report::Report;

pub use draft::{CatalogFile, ImportDraft, ImportFile, OrderFile};
pub use service::{ImportServices, OperatorImports};

/// Why a file was not imported although no row of it is wrong.
#[derive(Debug, thiserror::Error)]
pub enum FileImportError {
    /// Fields of the request are wrong.
    #[error("the request has invalid fields")]
    Invalid(Report),
    /// The store cannot be read, or the operator does not reach it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nothing is placed in a disabled store.
    #[error("the store {0} is disabled; enable it first")]
    Disabled(StoreId),
    /// What holds for all stores is imported by operators that reach all of them.
    #[error("this operator is bound to some stores, and the catalog is that of all stores")]
    Bound,
    /// Everything that is stored would be removed or retired.
    #[error("there is nothing to import, and everything stored would be removed")]
    Empty(Content),
    /// The repository failed.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
}

/// What came of a file of the catalog.
#[derive(Debug)]
pub struct CatalogImported {
    /// How many rows the file has; 0 if it cannot be divided into rows.
    pub rows: usize,
    /// What the import has changed, or would change; else what is wrong with the rows.
    pub result: Result<Accepted, Findings>,
}
