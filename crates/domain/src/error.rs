//! What can go wrong behind a port that keeps things.

use std::error::Error;

use crate::catalog::product_names::TooManyVariants;

/// The source of an error, for the log.
pub type Source = Box<dyn Error + Send + Sync>;

/// The result of a call of a port, unless it names another error.
pub type Result<T, E = RepositoryError> = std::result::Result<T, E>;

/// Why a repository could not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RepositoryError {
    /// The storage cannot be reached, or has no room for a call now. A later try can succeed.
    #[error("the storage is unavailable")]
    Unavailable(#[source] Source),
    /// The storage did not respond in time. A later try can succeed; a write may or may not have
    /// been stored.
    #[error("the storage did not respond in time")]
    Timeout(#[source] Source),
    /// A stored value is not of its field's form. No try will succeed before the value is repaired.
    #[error("{kind} {key}: the stored field {field} cannot be read")]
    Corrupt {
        /// What the value is part of, such as `orders`.
        kind: &'static str,
        /// The field.
        field: &'static str,
        /// The key of what it is part of.
        key: String,
        /// What is wrong with it.
        #[source]
        source: Source,
    },
    /// A unique value exists already.
    #[error("{0} exists already")]
    Duplicate(&'static str),
    /// What was to be replaced is not at the expected version any more.
    #[error("changed by another call in between")]
    Stale,
    /// What was to be stored is larger than can be stored; names what. Nothing was stored, and no
    /// try will succeed with the same content.
    #[error("{0} are too large to be stored")]
    TooLarge(&'static str),
    /// The catalog is no longer in the state that the order was priced with.
    #[error("the catalog was changed in between")]
    CatalogChanged,
    /// A product would have too many variants, together with those that are stored.
    #[error(transparent)]
    ProductTooLarge(#[from] TooManyVariants),
    /// The storage refused the call. A defect of the adapter; no try will succeed.
    #[error("the storage refused a call")]
    Refused(#[source] Source),
}

impl RepositoryError {
    /// Returns the error of a use case that gave up, because other calls changed its order in between each time.
    pub fn too_many_changes() -> Self {
        Self::Unavailable("too many changes of one order at once".into())
    }

    /// True where the same call can succeed a moment later.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Timeout(_))
    }
}
