//! The sealing key: the current master key, used to seal new keys of stores and webhook endpoints.

use pressline_domain::error::RepositoryError;
use pressline_domain::store::MasterKeyId;

use crate::cold_store::Db;
use crate::failure::Failure;

/// How a transaction locks the row of the master key's id.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Lock {
    /// Other transactions can lock the row in the same way, but cannot change it.
    Shared,
    /// Other transactions can neither lock nor change the row.
    Exclusive,
}

/// Returns the id of the current master key; `None` if nothing has been sealed yet.
pub(crate) fn sealing_key(db: &mut Db<'_>) -> Result<Option<MasterKeyId>, Failure> {
    read(db, "SELECT master_key_id FROM sealing_key WHERE id = 1")
}

/// Locks the id's row until the transaction ends.
pub(crate) fn locked_sealing_key(
    db: &mut Db<'_>,
    lock: Lock,
) -> Result<Option<MasterKeyId>, Failure> {
    read(
        db,
        match lock {
            Lock::Shared => "SELECT master_key_id FROM sealing_key WHERE id = 1 FOR SHARE",
            Lock::Exclusive => "SELECT master_key_id FROM sealing_key WHERE id = 1 FOR UPDATE",
        },
    )
}

fn read(db: &mut Db<'_>, text: &'static str) -> Result<Option<MasterKeyId>, Failure> {
    let stored = db.load::<String>(text, &[])?.pop();
    let id = stored.map(|id| id.parse::<MasterKeyId>()).transpose();
    Ok(id.map_err(|error| RepositoryError::Corrupt {
        kind: "sealing_key",
        field: "master_key_id",
        key: "1".to_owned(),
        source: error.into(),
    })?)
}

/// Checks that `sealed_with` is the current master key, and locks the row with its id. If nothing has been sealed yet, `sealed_with` becomes the current master key.
pub(crate) fn claim_key(
    db: &mut Db<'_>,
    sealed_with: MasterKeyId,
    lock: Lock,
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
