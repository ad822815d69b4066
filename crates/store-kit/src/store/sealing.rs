//! Checks the master key of new keys, and seals all keys with another master key in one
//! transaction.

use pressline_domain::error::RepositoryError;
use pressline_domain::store::{KeyIssuer, MasterKeyId, ResealReport, StoreRecord};

use super::row::KeyRow;
use crate::cold_store::Db;
use crate::failure::Failure;
use crate::resealing;
use crate::sealing_key::{claim_key, insert_sealing_key, locked_sealing_key};
use crate::webhook::SecretRow;

/// Checks that the new keys of `record` are sealed with the current master key. If nothing has been
/// sealed yet, the master key of the new keys becomes the current master key.
pub(super) fn claim(db: &mut Db<'_>, record: &StoreRecord) -> Result<(), Failure> {
    let stored = db.load::<String>(
        "SELECT key_id FROM store_keys WHERE store_id = :store_id",
        &[("store_id", record.store.id.into())],
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

/// Seals all keys of stores and all secrets of webhook endpoints with the master key `with`.
/// `expected` is the current master key; `None` if nothing has been sealed yet.
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
        &[("id", with.into())],
    )?;
    let mut report = ResealReport::default();
    resealing::reseal::<KeyRow>(db, with, issuer, &mut report)?;
    resealing::reseal::<SecretRow>(db, with, issuer, &mut report)?;
    Ok(report)
}
