//! Rows with sealed keys.

use pressline_domain::error::RepositoryError;
use pressline_domain::store::{KeyOwner, StoreKey};

use crate::cold_value::Value;
use crate::from_row::FromRow;

/// A row with a sealed key.
pub(crate) trait SealedRow: FromRow {
    /// The table.
    const KEYS: &'static str;
    /// The table of the owners of keys.
    const OWNERS: &'static str;
    /// The column of both tables with the owner's id.
    const OWNER: &'static str;

    /// Returns the stored ids of owner and key.
    fn ids(&self) -> [Value; 2];

    /// Returns the key and its owner.
    fn sealed(self) -> Result<(KeyOwner, StoreKey), RepositoryError>;
}
