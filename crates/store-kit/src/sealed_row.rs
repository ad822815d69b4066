//! Rows that contain a sealed key.

use pressline_domain::error::RepositoryError;
use pressline_domain::store::{KeyOwner, StoreKey};

use crate::cold_value::Value;
use crate::from_row::FromRow;

pub(crate) trait SealedRow: FromRow {
    /// Name of the table with the sealed keys.
    const KEYS: &'static str;
    /// Name of the table with the owners of the keys.
    const OWNERS: &'static str;
    /// Name of the column with the owner's id, in both tables.
    const OWNER: &'static str;

    /// Returns the id of the owner and the id of the key, as statement parameters.
    fn ids(&self) -> [Value; 2];

    fn sealed(self) -> Result<(KeyOwner, StoreKey), RepositoryError>;
}
