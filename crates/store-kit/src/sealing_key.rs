//! The sealing key: the current master key, used to seal new keys of stores and webhook endpoints.

use pressline_domain::error::RepositoryError;
use pressline_domain::store::MasterKeyId;

use crate::cold_store::Db;
use crate::failure::Failure;

/// Returns the id of the current master key; `None` if nothing has been sealed yet.
pub(crate) fn sealing_key(db: &mut Db<'_>) -> Result<Option<MasterKeyId>, Failure> {
    locked_sealing_key(db, "")
}

/// Locks the id's row with the SQL clause `lock`; an empty clause does not lock.
pub(crate) fn locked_sealing_key(
    db: &mut Db<'_>,
    lock: &str,
) -> Result<Option<MasterKeyId>, Failure> {
    let text = format!("SELECT master_key_id FROM sealing_key WHERE id = 1 {lock}");
    let stored = db.load::<String>(&text, &[])?.pop();
    let id = stored.map(|id| id.parse::<MasterKeyId>()).transpose();
    Ok(id.map_err(|error| RepositoryError::Corrupt {
        kind: "sealing_key",
        field: "master_key_id",
        key: "1".to_owned(),
        source: error.into(),
    })?)
}

/// Checks that `sealed_with` is the current master key, and locks the row with its id by the SQL
/// clause `lock`. If nothing has been sealed yet, `sealed_with` becomes the current master key.
pub(crate) fn claim_key(
    db: &mut Db<'_>,
    sealed_with: MasterKeyId,
    lock: &str,
) -> Result<(), Failure> {
    insert_sealing_key(db, sealed_with)?;
    if locked_sealing_key(db, lock)? != Some(sealed_with) {
        return Err(RepositoryError::Stale.into());
    }
    Ok(())
}

pub(crate) fn insert_sealing_key(db: &mut Db<'_>, id: MasterKeyId) -> Result<(), Failure> {
    db.run(
        "INSERT INTO sealing_key (id, master_key_id) VALUES (1, :id) ON CONFLICT DO NOTHING",
        &[("id", id.into())],
    )
}
