//! The master key that seals, and sealing everything with another one within one transaction.

use pressline_domain::error::RepositoryError;
use pressline_domain::store::{KeyIssuer, MasterKeyId, ResealReport, StoreRecord};

use super::row::KeyRow;
use crate::cold_store::{Db, Failure};
use crate::cold_value::Value;
use crate::resealing;
use crate::webhook::SecretRow;

/// The id of the master key that seals.
pub(super) fn sealing_key(db: &mut Db<'_>) -> Result<Option<MasterKeyId>, Failure> {
    locked_sealing_key(db, "")
}

/// The id of the master key that seals, whose row is locked by this clause.
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

/// Makes sure that the keys of a store which are not stored yet are sealed with the master key
/// that seals. The first key of all decides which one that is.
pub(super) fn claim(db: &mut Db<'_>, record: &StoreRecord) -> Result<(), Failure> {
    let stored = db.load::<String>(
        "SELECT key_id FROM store_keys WHERE store_id = :store_id",
        &[("store_id", Value::text(&record.store.id.to_string()))],
    )?;
    let lock = db.dialect.locks.shared;
    for key in &record.keys {
        if stored.contains(&key.id.to_string()) {
            continue;
        }
        claim_key(db, key.sealed_with, lock)?;
    }
    Ok(())
}

/// Makes sure that this master key seals, and locks its row by this clause. The first key of all
/// decides which one it is.
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

/// Seals all keys, and the secrets of all webhook endpoints, with the master key `with`, and reports those that could not be opened.
pub(super) fn reseal(
    db: &mut Db<'_>,
    expected: Option<MasterKeyId>,
    with: MasterKeyId,
    issuer: &dyn KeyIssuer,
) -> Result<ResealReport, Failure> {
    if expected.is_none() {
        insert_sealing_key(db, with)?;
    }
    // Waits for transactions that add keys; those that come later wait for this one.
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
