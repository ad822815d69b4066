//! Rows that contain a sealed key.

use pressline_domain::error::RepositoryError;
use pressline_domain::store::{KeyOwner, StoreKey};

use crate::cold_value::Value;
use crate::from_row::FromRow;

pub(crate) trait SealedRow: FromRow {
    /// Table with the sealed keys.
    const KEYS: &'static str;
    /// Table with the stores or webhook endpoints that own the keys.
    const OWNERS: &'static str;
    /// Column with the id of a key's owner, in the tables `KEYS` and `OWNERS`.
    const OWNER: &'static str;

    /// Returns the owner id and the key id, as statement parameters.
    fn ids(&self) -> [Value; 2];

    fn sealed(self) -> Result<(KeyOwner, StoreKey), RepositoryError>;
}
