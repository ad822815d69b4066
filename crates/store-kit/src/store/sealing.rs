//! The sealing key, that is, the current master key, and resealing everything with another master
//! key in one transaction.

use pressline_domain::error::RepositoryError;
use pressline_domain::store::{KeyIssuer, MasterKeyId, ResealReport, StoreRecord};

use super::row::KeyRow;
use crate::cold_store::Db;
use crate::cold_value::Value;
use crate::failure::Failure;
use crate::resealing;
use crate::webhook::SecretRow;

/// Returns the id of the current master key; `None` if nothing has been sealed yet.
pub(super) fn sealing_key(db: &mut Db<'_>) -> Result<Option<MasterKeyId>, Failure> {
    locked_sealing_key(db, "")
}

/// Returns the id of the current master key, after locking its row with the clause `lock`.
fn locked_sealing_key(db: &mut Db<'_>, lock: &str) -> Result<Option<MasterKeyId>, Failure> {
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

/// Checks that new keys of a store are sealed with the current master key. The first key ever
/// stored determines the master key.
pub(super) fn claim(db: &mut Db<'_>, record: &StoreRecord) -> Result<(), Failure> {
    let stored = db.load::<String>(
        "SELECT key_id FROM store_keys WHERE store_id = :store_id",
        &[("store_id", Value::text(&record.store.id.to_string()))],
    )?;
    let lock = db.dialect.locks.shared;
    for key in &record.keys {
        // A stored key that could not be resealed keeps its old master key.
        if stored.contains(&key.id.to_string()) {
            continue;
        }
        claim_key(db, key.sealed_with, lock)?;
    }
    Ok(())
}

/// Checks that `sealed_with` is the current master key, and locks its row with the clause `lock`.
/// The first key ever stored determines the master key.
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

fn insert_sealing_key(db: &mut Db<'_>, id: MasterKeyId) -> Result<(), Failure> {
    db.execute(
        "INSERT INTO sealing_key (id, master_key_id) VALUES (1, :id) ON CONFLICT DO NOTHING",
        &[("id", Value::text(&id.to_string()))],
    )?;
    Ok(())
}

/// Seals all keys of stores and all secrets of webhook endpoints with the master key `with`. The
/// report contains the keys that could not be opened.
pub(super) fn reseal(
    db: &mut Db<'_>,
    expected: Option<MasterKeyId>,
    with: MasterKeyId,
    issuer: &dyn KeyIssuer,
) -> Result<ResealReport, Failure> {
    if expected.is_none() {
        insert_sealing_key(db, with)?;
    }
    // Waits for transactions that add keys. Later transactions wait for this one.
    let lock = db.dialect.locks.exclusive;
    if locked_sealing_key(db, lock)? != expected.or(Some(with)) {
        return Err(RepositoryError::Stale.into());
    }
    db.execute(
        "UPDATE sealing_key SET master_key_id = :id WHERE id = 1",
        &[("id", Value::text(&with.to_string()))],
    )?;
    let mut report = ResealReport::default();
    resealing::reseal::<KeyRow>(db, with, issuer, &mut report)?;
    resealing::reseal::<SecretRow>(db, with, issuer, &mut report)?;
    Ok(report)
}
