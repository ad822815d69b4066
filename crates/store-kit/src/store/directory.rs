//! The statements about stores and their keys, within the transaction of a connection.

use diesel::connection::LoadConnection;
use diesel::query_builder::QueryFragment;
use diesel::query_dsl::methods::LoadQuery;
use diesel::sql_types::{Nullable, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{KeyId, Prefix, StoreId};
use pressline_domain::store::{Store, StoreRecord};
use pressline_domain::time::Timestamp;

use super::row::{KeyRow, StoreRow, group_by_store};
use crate::cold::{Cold, RowLocks, Value, execute, load};
use crate::schema::{store_keys, stores};

/// A store and one of its keys.
type StoreSql = (stores::SqlType, Nullable<store_keys::SqlType>);

/// The stores and the sealed keys that a connection reads and writes. `F` is the error that ends the
/// transaction.
#[derive(Debug)]
pub struct Stores<'c, C, F> {
    pub(super) connection: &'c mut C,
    pub(super) locks: RowLocks,
    failure: std::marker::PhantomData<F>,
}

impl<'c, C, F> Stores<'c, C, F> {
    /// Those of a connection.
    pub fn new(connection: &'c mut C, locks: RowLocks) -> Self {
        Self {
            connection,
            locks,
            failure: std::marker::PhantomData,
        }
    }
}

impl<C, F> Stores<'_, C, F>
where
    C: LoadConnection,
    F: From<diesel::result::Error> + From<RepositoryError>,
    Cold<()>: QueryFragment<C::Backend>,
    for<'q> Cold<Text>: LoadQuery<'q, C, String>,
    for<'q> Cold<stores::SqlType>: LoadQuery<'q, C, StoreRow>,
    for<'q> Cold<StoreSql>: LoadQuery<'q, C, (StoreRow, Option<KeyRow>)>,
{
    /// The store with this prefix.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn with_prefix(&mut self, prefix: &Prefix) -> Result<Option<Store>, F> {
        let rows = load::<stores::SqlType, StoreRow, _>(
            self.connection,
            "SELECT {stores} FROM stores WHERE prefix = :prefix",
            &[("prefix", Value::text(prefix.as_str()))],
        )?;
        let row = rows.into_iter().next();
        let record = row.map(|row| row.restore(Vec::new())).transpose()?;
        Ok(record.map(|record| record.store))
    }

    /// The store with this id.
    ///
    /// # Errors
    /// As the database fails, and where a column does not hold what it should.
    pub fn find(&mut self, id: StoreId) -> Result<Option<StoreRecord>, F> {
        let id = id.to_string();
        let rows = load::<StoreSql, _, _>(
            self.connection,
            "SELECT stores.*, store_keys.*
             FROM stores
             LEFT JOIN store_keys ON store_keys.store_id = stores.store_id
             WHERE stores.store_id = :store_id
             ORDER BY store_keys.position",
            &[("store_id", Value::text(&id))],
        )?;
        Ok(group_by_store(rows)?.pop())
    }

    /// All stores, oldest first.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn list(&mut self) -> Result<Vec<StoreRecord>, F> {
        let rows = load::<StoreSql, _, _>(
            self.connection,
            "SELECT stores.*, store_keys.*
             FROM stores
             LEFT JOIN store_keys ON store_keys.store_id = stores.store_id
             ORDER BY stores.created_at, stores.store_id, store_keys.position",
            &[],
        )?;
        Ok(group_by_store(rows)?)
    }

    /// Adds a store with its keys. False where the store, or another one with its prefix, exists.
    ///
    /// # Errors
    /// As the database fails, and [`RepositoryError::Stale`] where a key is sealed with another
    /// master key than the present one.
    pub fn add(&mut self, record: &StoreRecord) -> Result<bool, F> {
        // First, so that a transaction that reseals all keys waits for this one, or it for that.
        self.claim(record)?;
        let row = StoreRow::of(record);
        let added = execute(
            self.connection,
            "INSERT INTO stores ({stores})
             VALUES (:store_id, :name, :prefix, :currency, :test, :strict_catalog, :require_timestamp,
                 :allow_unsigned_search, :cooling_off_seconds, :promise_seconds, :slip_note, :enabled, :created_at,
                 :version)
             ON CONFLICT DO NOTHING",
            &values(&row),
        )?;
        if added == 0 {
            return Ok(false);
        }
        execute(
            self.connection,
            "INSERT INTO store_counters (store_id, last_number) VALUES (:store_id, 0)",
            &[("store_id", Value::text(&row.store_id))],
        )?;
        self.add_keys(record)?;
        Ok(true)
    }

    /// Replaces a store and its keys; its prefix and the time of its creation never change. False
    /// where it does not exist with the expected version.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn replace(&mut self, record: &StoreRecord, expected: u32) -> Result<bool, F> {
        self.claim(record)?;
        let row = StoreRow::of(record);
        let mut values = values(&row).to_vec();
        values.push(("expected", Value::BigInt(i64::from(expected))));
        let changed = execute(
            self.connection,
            "UPDATE stores
             SET name = :name, currency = :currency, strict_catalog = :strict_catalog,
                 require_timestamp = :require_timestamp,
                 allow_unsigned_search = :allow_unsigned_search,
                 cooling_off_seconds = :cooling_off_seconds,
                 promise_seconds = :promise_seconds, slip_note = :slip_note, enabled = :enabled,
                 version = :version
             WHERE store_id = :store_id
               AND version = :expected",
            &values,
        )?;
        if changed == 0 {
            return Ok(false);
        }
        self.remove_other_keys(record)?;
        self.add_keys(record)?;
        Ok(true)
    }

    /// Removes the keys that a store does not have any more.
    fn remove_other_keys(&mut self, record: &StoreRecord) -> Result<(), F> {
        let stored = load::<Text, String, _>(
            self.connection,
            "SELECT key_id FROM store_keys WHERE store_id = :store_id",
            &[("store_id", Value::text(&record.store.id.to_string()))],
        )?;
        let is_kept = |id: &String| record.keys.iter().any(|key| key.id.to_string() == *id);
        for id in stored.iter().filter(|id| !is_kept(id)) {
            execute(
                self.connection,
                "DELETE FROM store_keys WHERE store_id = :store_id AND key_id = :key_id",
                &[
                    ("store_id", Value::text(&record.store.id.to_string())),
                    ("key_id", Value::text(id)),
                ],
            )?;
        }
        Ok(())
    }

    /// Notes that a key of a store was used at this minute, unless a later use is noted.
    ///
    /// # Errors
    /// As the database fails.
    pub fn note_key_use(&mut self, store: StoreId, key: KeyId, minute: Timestamp) -> Result<(), F> {
        execute(
            self.connection,
            "UPDATE store_keys
             SET last_used_at = :minute
             WHERE store_id = :store_id
               AND key_id = :key_id
               AND (last_used_at IS NULL OR last_used_at < :minute)",
            &[
                ("store_id", Value::text(&store.to_string())),
                ("key_id", Value::text(&key.to_string())),
                ("minute", Value::BigInt(minute.as_millis())),
            ],
        )?;
        Ok(())
    }

    /// Adds keys, two at most. Of a key that is stored already, the noted use stays: it may be later than the one
    /// that was read.
    fn add_keys(&mut self, record: &StoreRecord) -> Result<(), F> {
        for key in KeyRow::of(record) {
            execute(
                self.connection,
                "INSERT INTO store_keys ({store_keys})
                 VALUES (:store_id, :key_id, :position, :sealed, :sealed_with, :created_at, :last_used_at)
                 ON CONFLICT (store_id, key_id) DO UPDATE
                 SET position = excluded.position, sealed = excluded.sealed,
                     sealed_with = excluded.sealed_with, created_at = excluded.created_at",
                &[
                    ("store_id", Value::text(&key.store_id)),
                    ("key_id", Value::text(&key.key_id)),
                    ("position", Value::Integer(key.position)),
                    ("sealed", Value::binary(&key.sealed)),
                    ("sealed_with", Value::text(&key.sealed_with)),
                    ("created_at", Value::BigInt(key.created_at)),
                    ("last_used_at", Value::OptionalBigInt(key.last_used_at)),
                ],
            )?;
        }
        Ok(())
    }
}

fn values(row: &StoreRow) -> [(&'static str, Value); 14] {
    [
        ("store_id", Value::text(&row.store_id)),
        ("name", Value::text(&row.name)),
        ("prefix", Value::text(&row.prefix)),
        ("currency", Value::text(&row.currency)),
        ("test", Value::Bool(row.test)),
        ("strict_catalog", Value::Bool(row.strict_catalog)),
        ("require_timestamp", Value::Bool(row.require_timestamp)),
        (
            "allow_unsigned_search",
            Value::Bool(row.allow_unsigned_search),
        ),
        (
            "cooling_off_seconds",
            Value::OptionalBigInt(row.cooling_off_seconds),
        ),
        (
            "promise_seconds",
            Value::OptionalBigInt(row.promise_seconds),
        ),
        ("slip_note", Value::OptionalText(row.slip_note.clone())),
        ("enabled", Value::Bool(row.enabled)),
        ("created_at", Value::BigInt(row.created_at)),
        ("version", Value::BigInt(row.version)),
    ]
}
