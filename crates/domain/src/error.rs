//! Errors of the ports that store data.

use std::error::Error;

use crate::check::limits;

/// Cause of an error, for the log.
pub type Source = Box<dyn Error + Send + Sync>;

/// Result of a port's method: the error is [`RepositoryError`] unless the method names another.
pub type Result<T, E = RepositoryError> = std::result::Result<T, E>;

/// Reason why a repository call failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RepositoryError {
    /// The storage cannot be reached, or is too busy. A later call can succeed.
    #[error("the storage is unavailable")]
    Unavailable(#[source] Source),
    /// The storage did not respond in time. A later call can succeed. A write may have been stored.
    #[error("the storage did not respond in time")]
    Timeout(#[source] Source),
    /// A stored value is invalid. No call will succeed until the value is repaired.
    #[error("{kind} {key}: the stored field {field} cannot be read")]
    Corrupt {
        /// Kind of record that contains the value, such as `orders`.
        kind: &'static str,
        /// Field of the record that contains the value.
        field: &'static str,
        /// Key of the record.
        key: String,
        /// Reason that the value is invalid.
        #[source]
        source: Source,
    },
    /// A record has the same unique value. Contains the value's name, such as `the prefix`.
    #[error("{0} exists already")]
    Duplicate(&'static str),
    /// The stored data has changed since the caller read it: a record has another version, or the
    /// current master key of the [store directory](crate::store::StoreDirectory) was replaced.
    #[error("changed by another call in between")]
    Stale,
    /// The data is too large to be stored. Contains the name of the data, such as `the order's
    /// search words`. Nothing was stored, and no call with the same data will succeed.
    #[error("{0} are too large to be stored")]
    TooLarge(&'static str),
    /// The catalog has changed since the order was priced.
    #[error("the catalog was changed in between")]
    CatalogChanged,
    /// The import would give a product too many variants. Nothing was imported.
    #[error(
        "product `{product}` would have {variants} variants that are not retired, and may have {}",
        limits::PRODUCT_VARIANTS
    )]
    ProductTooLarge {
        /// Id of the product that would be too large.
        product: String,
        /// Number of the product's variants after the import, without retired variants.
        variants: usize,
    },
    /// A defect: the storage refused the call, or stored records do not fit together.
    #[error("the storage refused a call")]
    Refused(#[source] Source),
}

impl RepositoryError {
    /// Returns the error for a change that lost against concurrent changes in each attempt.
    pub fn too_many_changes() -> Self {
        // A later call can succeed, so the error must be transient.
        Self::Unavailable("too many concurrent changes of one order".into())
    }

    /// Returns `true` if the same call can succeed later.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Timeout(_))
    }
}
