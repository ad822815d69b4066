//! The master key that seals, and sealing all keys of all stores with another one, page by page
//! within one transaction.

use pressline_domain::error::RepositoryError;
use pressline_domain::store::{KeyIssuer, KeyOwner, MasterKeyId, ResealReport, StoreRecord};

use super::row::KeyRow;
use crate::cold::Value;
use crate::cold_store::{Db, Failure};

/// Stores whose keys are in memory at once. Two keys of 100 bytes each make some 50 KB a page.
const PAGE: i64 = 200;

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
    let mut after = String::new();
    while let Some(last) = last_of_page(db, &after)? {
        reseal_page(db, &after, &last, with, issuer, &mut report)?;
        after = last;
    }
    crate::webhook::sealing::reseal(db, with, issuer, &mut report)?;
    Ok(report)
}

/// The last of the next stores that have keys, in the order of their ids.
fn last_of_page(db: &mut Db<'_>, after: &str) -> Result<Option<String>, Failure> {
    let mut ids = db.load::<String>(
        "SELECT DISTINCT store_id
         FROM store_keys
         WHERE store_id > :after
         ORDER BY store_id
         LIMIT :limit",
        &[
            ("after", Value::text(after)),
            ("limit", Value::BigInt(PAGE)),
        ],
    )?;
    Ok(ids.pop())
}

/// Seals the keys of the stores after one id, up to another.
fn reseal_page(
    db: &mut Db<'_>,
    after: &str,
    last: &str,
    with: MasterKeyId,
    issuer: &dyn KeyIssuer,
    report: &mut ResealReport,
) -> Result<(), Failure> {
    let page = [("after", Value::text(after)), ("last", Value::text(last))];
    // Before the keys: this locks the stores, in the order in which a change of one store
    // locks.
    db.execute(
        "UPDATE stores
         SET version = version + 1
         WHERE store_id > :after
           AND store_id <= :last
           AND store_id IN (SELECT store_id FROM store_keys)",
        &page,
    )?;
    let keys = db.load::<KeyRow>(
        "SELECT store_keys.*
         FROM store_keys
         WHERE store_id > :after
           AND store_id <= :last",
        &page,
    )?;
    for row in keys {
        let (store, key) = row.clone().restore_with_store()?;
        let Some(sealed) = report.reseal(KeyOwner::Store(store), &key, with, issuer) else {
            continue;
        };
        db.execute(
            "UPDATE store_keys
             SET sealed = :sealed, sealed_with = :sealed_with
             WHERE store_id = :store_id
               AND key_id = :key_id",
            &[
                ("sealed", Value::binary(&sealed)),
                ("sealed_with", Value::text(&with.to_string())),
                ("store_id", Value::text(&row.store_id)),
                ("key_id", Value::text(&row.key_id)),
            ],
        )?;
    }
    Ok(())
}
