//! Rows that contain a sealed key.

use pressline_domain::error::RepositoryError;
use pressline_domain::store::{KeyOwner, StoreKey};

use crate::cold_value::Value;
use crate::from_row::FromRow;

pub(crate) trait SealedRow: FromRow {
    /// Name of the keys' table.
    const KEYS: &'static str;
    /// Name of the owners' table.
    const OWNERS: &'static str;
    /// Column with the owner's id, in both tables.
    const OWNER: &'static str;

    /// Returns the ids of owner and key, as stored.
    fn ids(&self) -> [Value; 2];

    fn sealed(self) -> Result<(KeyOwner, StoreKey), RepositoryError>;
}
