//! The master key that seals, and sealing all keys with another one.

use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::store::{KeyIssuer, MasterKeyId, ResealReport, StoreRecord};
use pressline_store_kit::schema::{sealing_key, store_keys, stores};
use pressline_store_kit::{KeyRow, SealedKeys, reseal_all};

use crate::error::Failure;

/// The one row of its table.
const ONLY: i32 = 1;

/// The id of the master key that seals.
pub(crate) fn sealing_key(
    connection: &mut SqliteConnection,
) -> Result<Option<MasterKeyId>, Failure> {
    let seals = sealing_key::table
        .find(ONLY)
        .select(sealing_key::master_key_id);
    read(seals.first(connection).optional()?)
}

fn read(stored: Option<String>) -> Result<Option<MasterKeyId>, Failure> {
    let id = stored.map(|id| id.parse::<MasterKeyId>()).transpose();
    Ok(id.map_err(|error| RepositoryError::Corrupt {
        table: "sealing_key",
        column: "master_key_id",
        row: ONLY.to_string(),
        source: error.into(),
    })?)
}

/// Makes sure that the keys of a store which are not stored yet are sealed with the master key that
/// seals. The first key of all decides which one that is. Comes first in a transaction that stores
/// keys.
pub(crate) fn claim(
    connection: &mut SqliteConnection,
    record: &StoreRecord,
) -> Result<(), Failure> {
    let stored: Vec<String> = store_keys::table
        .filter(store_keys::store_id.eq(record.store.id.to_string()))
        .select(store_keys::key_id)
        .load(connection)?;
    let is_new = |key: &str| stored.iter().all(|stored| stored != key);
    let new = record.keys.iter().filter(|key| is_new(&key.id.to_string()));
    for key in new {
        insert_first(connection, key.sealed_with)?;
        if sealing_key(connection)? != Some(key.sealed_with) {
            return Err(RepositoryError::Stale.into());
        }
    }
    Ok(())
}

/// Takes note of the master key that seals, unless there is one.
fn insert_first(connection: &mut SqliteConnection, id: MasterKeyId) -> Result<(), Failure> {
    diesel::insert_into(sealing_key::table)
        .values((
            sealing_key::id.eq(ONLY),
            sealing_key::master_key_id.eq(id.to_string()),
        ))
        .on_conflict_do_nothing()
        .execute(connection)?;
    Ok(())
}

/// Seals all keys with another master key, within a transaction.
pub(crate) fn reseal(
    connection: &mut SqliteConnection,
    expected: Option<MasterKeyId>,
    with: MasterKeyId,
    issuer: &dyn KeyIssuer,
) -> Result<ResealReport, Failure> {
    if expected.is_none() {
        insert_first(connection, with)?;
    }
    if sealing_key(connection)? != expected.or(Some(with)) {
        return Err(RepositoryError::Stale.into());
    }
    diesel::update(sealing_key::table.find(ONLY))
        .set(sealing_key::master_key_id.eq(with.to_string()))
        .execute(connection)?;
    reseal_all(&mut AllKeys(connection), with, issuer)
}

/// The keys of all stores.
struct AllKeys<'c>(&'c mut SqliteConnection);

impl SealedKeys for AllKeys<'_> {
    type Failure = Failure;

    fn stores(&mut self, after: &str, limit: i64) -> Result<Vec<String>, Failure> {
        let with_keys = store_keys::table
            .filter(store_keys::store_id.gt(after))
            .select(store_keys::store_id)
            .distinct()
            .order(store_keys::store_id)
            .limit(limit);
        Ok(with_keys.load(self.0)?)
    }

    fn renew(&mut self, ids: &[String]) -> Result<(), Failure> {
        diesel::update(stores::table.filter(stores::store_id.eq_any(ids)))
            .set(stores::version.eq(stores::version + 1))
            .execute(self.0)?;
        Ok(())
    }

    fn keys(&mut self, ids: &[String]) -> Result<Vec<KeyRow>, Failure> {
        let keys = store_keys::table.filter(store_keys::store_id.eq_any(ids));
        Ok(keys.select(KeyRow::as_select()).load(self.0)?)
    }

    fn update(&mut self, key: &KeyRow) -> Result<(), Failure> {
        diesel::update(store_keys::table.find((&key.store_id, &key.key_id)))
            .set((
                store_keys::sealed.eq(&key.sealed),
                store_keys::sealed_with.eq(&key.sealed_with),
            ))
            .execute(self.0)?;
        Ok(())
    }
}
