//! Rows of a store and its keys.

use pressline_domain::error::Result;
use pressline_domain::store::{Store, StoreKey, StoreRecord, StoreSettings};
use pressline_domain::value::Timestamp;

use crate::corrupt::StoredRow;
use crate::operator::last_use;
use crate::sql::{Row, grouped};

#[derive(Clone, PartialEq, Row)]
pub(crate) struct StoreRow {
    pub(crate) store_id: String,
    pub(crate) name: String,
    pub(crate) prefix: String,
    pub(crate) currency: String,
    pub(crate) test: bool,
    pub(crate) strict_catalog: bool,
    pub(crate) require_timestamp: bool,
    pub(crate) allow_unsigned_search: bool,
    pub(crate) cooling_off_seconds: Option<i64>,
    pub(crate) ship_by_seconds: Option<i64>,
    pub(crate) slip_note: Option<String>,
    pub(crate) enabled: bool,
    pub(crate) created_at: i64,
    pub(crate) version: i64,
}

#[derive(Clone, PartialEq, Row)]
pub(crate) struct KeyRow {
    pub(crate) store_id: String,
    pub(crate) key_id: String,
    pub(crate) position: i32,
    pub(crate) sealed: Vec<u8>,
    pub(crate) sealed_with: String,
    pub(crate) created_at: i64,
    pub(crate) last_used_at: Option<i64>,
}

impl StoreRow {
    pub(super) fn new(record: &StoreRecord) -> Self {
        let store = &record.store;
        Self {
            store_id: store.id.to_string(),
            name: store.name.clone(),
            prefix: store.prefix.to_string(),
            currency: store.currency.code().to_owned(),
            test: store.test,
            strict_catalog: store.settings.strict_catalog,
            require_timestamp: store.settings.require_timestamp,
            allow_unsigned_search: store.settings.allow_unsigned_search,
            cooling_off_seconds: store.settings.cooling_off_seconds.map(i64::from),
            ship_by_seconds: store.settings.ship_by_seconds.map(i64::from),
            slip_note: store.settings.slip_note.clone(),
            enabled: store.enabled,
            created_at: store.created_at.as_millis(),
            version: i64::from(record.version),
        }
    }

    /// Expects `keys` to be sorted from oldest to newest.
    pub(super) fn restore(self, keys: Vec<KeyRow>) -> Result<StoreRecord> {
        let stored = StoredRow("stores", &[&self.store_id]);
        let seconds = |column, given| stored.read_option(column, given, u32::try_from);
        let store = Store {
            id: stored.read("store_id", self.store_id.parse())?,
            prefix: stored.read("prefix", self.prefix.parse())?,
            currency: stored.read("currency", self.currency.parse())?,
            test: self.test,
            settings: StoreSettings {
                strict_catalog: self.strict_catalog,
                require_timestamp: self.require_timestamp,
                allow_unsigned_search: self.allow_unsigned_search,
                cooling_off_seconds: seconds("cooling_off_seconds", self.cooling_off_seconds)?,
                ship_by_seconds: seconds("ship_by_seconds", self.ship_by_seconds)?,
                slip_note: self.slip_note.clone(),
            },
            enabled: self.enabled,
            created_at: Timestamp::from_millis(self.created_at),
            name: self.name.clone(),
        };
        let keys = keys.into_iter().map(KeyRow::restore);
        Ok(StoreRecord {
            store,
            version: stored.read("version", u32::try_from(self.version))?,
            keys: keys.collect::<Result<_, _>>()?,
        })
    }
}

impl KeyRow {
    /// Gives the oldest key the position 0.
    pub(super) fn new(record: &StoreRecord) -> Vec<Self> {
        let store_id = record.store.id.to_string();
        (0..)
            .zip(&record.keys)
            .map(|(position, key)| Self {
                store_id: store_id.clone(),
                key_id: key.id.to_string(),
                position,
                sealed: key.sealed.clone(),
                sealed_with: key.sealed_with.to_string(),
                created_at: key.created_at.as_millis(),
                last_used_at: key.last_used_at.map(Timestamp::as_millis),
            })
            .collect()
    }

    fn restore(self) -> Result<StoreKey> {
        let stored = StoredRow("store_keys", &[&self.store_id, &self.key_id]);
        let id = stored.read("key_id", self.key_id.parse())?;
        let sealed_with = stored.read("sealed_with", self.sealed_with.parse())?;
        let created_at = Timestamp::from_millis(self.created_at);
        Ok(StoreKey {
            id,
            sealed: self.sealed,
            sealed_with,
            created_at,
            last_used_at: last_use(self.last_used_at, created_at),
        })
    }
}

/// Expects the rows of a store to be adjacent, and in the order of its keys.
pub(super) fn group_by_store(rows: Vec<(StoreRow, Option<KeyRow>)>) -> Result<Vec<StoreRecord>> {
    let groups = grouped(rows).into_iter();
    groups.map(|(store, keys)| store.restore(keys)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> StoreRow {
        StoreRow {
            store_id: "0197f3c2-0001-7c3a-9d52-000000000001".to_owned(),
            name: "Demo".to_owned(),
            prefix: "DEMO".to_owned(),
            currency: "USD".to_owned(),
            test: true,
            strict_catalog: true,
            require_timestamp: false,
            allow_unsigned_search: true,
            cooling_off_seconds: Some(60),
            ship_by_seconds: None,
            slip_note: Some("Thanks".to_owned()),
            enabled: true,
            created_at: 1_700_000_000_000,
            version: 3,
        }
    }

    fn key(row: &StoreRow) -> KeyRow {
        KeyRow {
            store_id: row.store_id.clone(),
            key_id: KEY.to_owned(),
            position: 0,
            sealed: vec![1, 2, 3],
            sealed_with: "0123456789abcdef".to_owned(),
            created_at: 1_700_000_000_001,
            last_used_at: Some(1_700_000_000_002),
        }
    }

    const KEY: &str = "0197f3c2-0002-7c3a-9d52-000000000001";

    #[test]
    fn a_store_comes_back_as_it_was() {
        let (row, key) = (row(), key(&row()));
        let record = row.clone().restore(vec![key.clone()]).unwrap();
        assert!(StoreRow::new(&record) == row);
        assert!(KeyRow::new(&record) == [key]);
    }

    #[test]
    fn a_broken_key_is_named() {
        let (row, mut key) = (row(), key(&row()));
        key.key_id = "k".to_owned();
        let error = row.restore(vec![key]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "store_keys 0197f3c2-0001-7c3a-9d52-000000000001/k: the stored field key_id cannot be read"
        );
    }
}
