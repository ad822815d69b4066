//! Statements about stores and their keys. The caller begins and ends the transaction.

use pressline_domain::store::{Store, StoreRecord};
use pressline_domain::value::id::{KeyId, Prefix, StoreId};
use pressline_domain::value::time::Timestamp;

use super::row::{KeyRow, StoreRow, group_by_store};
use super::sealing::claim;
use crate::cold_store::Db;
use crate::cold_value::RowValues as _;
use crate::failure::Failure;

pub(super) fn with_prefix(db: &mut Db<'_>, prefix: &Prefix) -> Result<Option<Store>, Failure> {
    let row = db.first::<StoreRow>(
        "SELECT {stores} FROM stores WHERE prefix = :prefix",
        &[("prefix", prefix.as_str().into())],
    )?;
    let record = row.map(|row| row.restore(Vec::new())).transpose()?;
    Ok(record.map(|record| record.store))
}

pub(super) fn find(db: &mut Db<'_>, id: StoreId) -> Result<Option<StoreRecord>, Failure> {
    let id = id.to_string();
    let rows = db.load(
        "SELECT stores.*, store_keys.*
         FROM stores
         LEFT JOIN store_keys ON store_keys.store_id = stores.store_id
         WHERE stores.store_id = :store_id
         ORDER BY store_keys.position",
        &[("store_id", id.clone().into())],
    )?;
    Ok(group_by_store(rows)?.pop())
}

/// Returns all stores with their keys, oldest store first.
pub(super) fn list(db: &mut Db<'_>) -> Result<Vec<StoreRecord>, Failure> {
    let rows = db.load(
        "SELECT stores.*, store_keys.*
         FROM stores
         LEFT JOIN store_keys ON store_keys.store_id = stores.store_id
         ORDER BY stores.created_at, stores.store_id, store_keys.position",
        &[],
    )?;
    Ok(group_by_store(rows)?)
}

/// Adds the store with its keys and counters. Returns `false` if its id or prefix already exists.
pub(super) fn add(db: &mut Db<'_>, record: &StoreRecord) -> Result<bool, Failure> {
    // First, because `claim` locks the sealing key: a resealing runs either before or after `add`.
    claim(db, record)?;
    let row = StoreRow::new(record);
    let added = db.execute(
        "INSERT INTO stores ({stores})
         VALUES ({:stores})
         ON CONFLICT DO NOTHING",
        &row.values(),
    )?;
    if added == 0 {
        return Ok(false);
    }
    let of_store = [("store_id", row.store_id.clone().into())];
    db.execute(
        "INSERT INTO store_counters (store_id, last_number) VALUES (:store_id, 0)",
        &of_store,
    )?;
    db.execute(db.dialect.begin_store, &of_store)?;
    add_keys(db, record)?;
    Ok(true)
}

/// Replaces the stored store and its keys with `record`, except prefix, test flag and creation
/// time. Returns `false` if the store does not have version `expected`.
pub(super) fn replace(
    db: &mut Db<'_>,
    record: &StoreRecord,
    expected: u32,
) -> Result<bool, Failure> {
    claim(db, record)?;
    let mut values = StoreRow::new(record).values();
    values.push(("expected", expected.into()));
    let changed = db.execute(
        "UPDATE stores
         SET name = :name, currency = :currency, strict_catalog = :strict_catalog,
             require_timestamp = :require_timestamp,
             allow_unsigned_search = :allow_unsigned_search,
             cooling_off_seconds = :cooling_off_seconds,
             ship_by_seconds = :ship_by_seconds, slip_note = :slip_note, enabled = :enabled,
             version = :version
         WHERE store_id = :store_id
           AND version = :expected",
        &values,
    )?;
    if changed == 0 {
        return Ok(false);
    }
    remove_other_keys(db, record)?;
    add_keys(db, record)?;
    Ok(true)
}

fn remove_other_keys(db: &mut Db<'_>, record: &StoreRecord) -> Result<(), Failure> {
    let stored = db.load::<String>(
        "SELECT key_id FROM store_keys WHERE store_id = :store_id",
        &[("store_id", record.store.id.into())],
    )?;
    let is_kept = |id: &String| record.keys.iter().any(|key| key.id.to_string() == *id);
    for id in stored.iter().filter(|id| !is_kept(id)) {
        db.execute(
            "DELETE FROM store_keys WHERE store_id = :store_id AND key_id = :key_id",
            &[
                ("store_id", record.store.id.into()),
                ("key_id", id.clone().into()),
            ],
        )?;
    }
    Ok(())
}

/// Does nothing if a later time of use is stored.
pub(super) fn note_key_use(
    db: &mut Db<'_>,
    store: StoreId,
    key: KeyId,
    minute: Timestamp,
) -> Result<(), Failure> {
    db.run(
        "UPDATE store_keys
         SET last_used_at = :minute
         WHERE store_id = :store_id
           AND key_id = :key_id
           AND (last_used_at IS NULL OR last_used_at < :minute)",
        &[
            ("store_id", store.into()),
            ("key_id", key.into()),
            ("minute", minute.into()),
        ],
    )
}

/// Inserts the keys of `record`, or replaces the stored keys with the same ids. Stored keys keep
/// their `last_used_at`, because it may be later than the value in `record`.
fn add_keys(db: &mut Db<'_>, record: &StoreRecord) -> Result<(), Failure> {
    for key in KeyRow::new(record) {
        db.execute(
            "INSERT INTO store_keys ({store_keys})
             VALUES ({:store_keys})
             ON CONFLICT (store_id, key_id) DO UPDATE
             SET position = excluded.position, sealed = excluded.sealed,
                 sealed_with = excluded.sealed_with, created_at = excluded.created_at",
            &key.values(),
        )?;
    }
    Ok(())
}
