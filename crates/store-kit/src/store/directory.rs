//! Statements about stores and their keys.

use std::sync::Arc;

use async_trait::async_trait;
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::store::{
    KeyIssuer, KeyUses, MasterKeyId, ResealReport, Store, StoreDirectory, StoreRecord,
};
use pressline_domain::value::{KeyId, Prefix, StoreId};
use serde::Serialize;

use super::row::{KeyRow, StoreRow, group_by_store};
use crate::cold_store::{Access, ColdStore, Db};
use crate::dialect::Texts;
use crate::failure::Failure;
use crate::json;
use crate::resealing::{STORE_KEYS, WEBHOOK_SECRETS, reseal};
use crate::sealing_key::{Lock, claim_key, insert_sealing_key, locked_sealing_key, sealing_key};
use crate::sql::Row as _;

const NOTE_KEY_USES: Texts = Texts {
    postgres: include_str!("sql/note_key_uses.postgres.sql"),
    sqlite: include_str!("sql/note_key_uses.sqlite.sql"),
};

#[derive(Serialize)]
struct UseInput {
    store_id: String,
    key_id: String,
    minute: i64,
}

pub(super) fn find(db: &mut Db<'_>, id: StoreId) -> Result<Option<StoreRecord>, Failure> {
    let rows = db.load(
        "SELECT
             stores.store_id, stores.name, stores.prefix, stores.currency, stores.test,
             stores.strict_catalog, stores.require_timestamp, stores.allow_unsigned_search,
             stores.cooling_off_seconds, stores.ship_by_seconds, stores.slip_note, stores.enabled,
             stores.created_at, stores.version,
             store_keys.store_id, store_keys.key_id, store_keys.position, store_keys.sealed,
             store_keys.sealed_with, store_keys.created_at, store_keys.last_used_at
         FROM stores
         LEFT JOIN store_keys ON store_keys.store_id = stores.store_id
         WHERE stores.store_id = :store_id
         ORDER BY store_keys.position",
        &[("store_id", id.into())],
    )?;
    Ok(group_by_store(rows)?.pop())
}

fn remove_other_keys(db: &mut Db<'_>, record: &StoreRecord) -> Result<(), Failure> {
    let key_ids: Vec<KeyId> = record.keys.iter().map(|key| key.id).collect();
    let text = Texts {
        postgres: "DELETE FROM store_keys
             WHERE store_id = :store_id
               AND NOT (key_id = ANY(ARRAY(SELECT json_array_elements_text(:kept::json))))",
        sqlite: "DELETE FROM store_keys
             WHERE store_id = :store_id
               AND NOT (key_id IN (SELECT value FROM json_each(:kept)))",
    };
    let kept_keys = ("kept", json::write(&key_ids)?.into());
    db.run(text, &[("store_id", record.store.id.into()), kept_keys])
}

/// Stored keys keep their `last_used_at`, because it may be later than the value in `record`.
fn add_keys(db: &mut Db<'_>, record: &StoreRecord) -> Result<(), Failure> {
    for key in KeyRow::new(record) {
        db.execute(
            "INSERT INTO store_keys (
                 store_id, key_id, position, sealed, sealed_with, created_at, last_used_at
             )
             VALUES (
                 :store_id, :key_id, :position, :sealed, :sealed_with, :created_at, :last_used_at
             )
             ON CONFLICT (store_id, key_id) DO UPDATE
             SET position = excluded.position, sealed = excluded.sealed,
                 sealed_with = excluded.sealed_with, created_at = excluded.created_at",
            &key.parameters(),
        )?;
    }
    Ok(())
}

/// Claims the master key of each new key of `record`, see [`claim_key`].
fn claim(db: &mut Db<'_>, record: &StoreRecord) -> Result<(), Failure> {
    let stored = db.load::<String>(
        "SELECT key_id FROM store_keys WHERE store_id = :store_id",
        &[("store_id", record.store.id.into())],
    )?;
    for key in &record.keys {
        // A stored key that could not be resealed keeps its old master key.
        if stored.contains(&key.id.to_string()) {
            continue;
        }
        claim_key(db, key.sealed_with, Lock::Shared)?;
    }
    Ok(())
}

#[async_trait]
impl StoreDirectory for ColdStore {
    #[tracing::instrument(name = "db.store.add", level = "debug", skip_all)]
    async fn add(&self, record: &StoreRecord) -> Result<()> {
        let record = record.clone();
        self.call(Access::Transaction, move |db| {
            // First, because `claim` locks the sealing key: a resealing runs before or after.
            claim(db, &record)?;
            let row = StoreRow::new(&record);
            let added = db.execute(
                "INSERT INTO stores (
                     store_id, name, prefix, currency, test, strict_catalog, require_timestamp,
                     allow_unsigned_search, cooling_off_seconds, ship_by_seconds, slip_note,
                     enabled, created_at, version
                 )
                 VALUES (
                     :store_id, :name, :prefix, :currency, :test, :strict_catalog,
                     :require_timestamp, :allow_unsigned_search, :cooling_off_seconds,
                     :ship_by_seconds, :slip_note, :enabled, :created_at, :version
                 )
                 ON CONFLICT DO NOTHING",
                &row.parameters(),
            )?;
            if added == 0 {
                if db.in_doubt && is_stored(db, &record)? {
                    return Ok(());
                }
                return Err(RepositoryError::Duplicate("a store with this prefix").into());
            }
            let of_store = [("store_id", row.store_id.clone().into())];
            db.execute(
                "INSERT INTO store_counters (store_id, last_number) VALUES (:store_id, 0)",
                &of_store,
            )?;
            db.execute(db.dialect.begin_store, &of_store)?;
            add_keys(db, &record)
        })
        .await
    }

    #[tracing::instrument(name = "db.store.find", level = "debug", skip_all)]
    async fn find(&self, id: StoreId) -> Result<Option<StoreRecord>> {
        self.call(Access::Read, move |db| find(db, id)).await
    }

    #[tracing::instrument(name = "db.store.with_prefix", level = "debug", skip_all)]
    async fn with_prefix(&self, prefix: &Prefix) -> Result<Option<Store>> {
        let row = self
            .load::<StoreRow>(
                "SELECT
                 store_id, name, prefix, currency, test, strict_catalog, require_timestamp,
                 allow_unsigned_search, cooling_off_seconds, ship_by_seconds, slip_note, enabled,
                 created_at, version
             FROM stores WHERE prefix = :prefix",
                vec![("prefix", prefix.as_str().into())],
            )
            .await?
            .pop();
        let record = row.map(|row| row.restore(Vec::new())).transpose()?;
        Ok(record.map(|record| record.store))
    }

    #[tracing::instrument(name = "db.store.list", level = "debug", skip_all)]
    async fn list(&self) -> Result<Vec<StoreRecord>> {
        let rows = self.load(
            "SELECT
                 stores.store_id, stores.name, stores.prefix, stores.currency, stores.test,
                 stores.strict_catalog, stores.require_timestamp, stores.allow_unsigned_search,
                 stores.cooling_off_seconds, stores.ship_by_seconds, stores.slip_note,
                 stores.enabled, stores.created_at, stores.version,
                 store_keys.store_id, store_keys.key_id, store_keys.position, store_keys.sealed,
                 store_keys.sealed_with, store_keys.created_at, store_keys.last_used_at
             FROM stores
             LEFT JOIN store_keys ON store_keys.store_id = stores.store_id
             ORDER BY stores.created_at, stores.store_id, store_keys.position",
            Vec::new(),
        );
        group_by_store(rows.await?)
    }

    #[tracing::instrument(name = "db.store.replace", level = "debug", skip_all)]
    async fn replace(&self, record: &StoreRecord, expected: u32) -> Result<()> {
        let mut record = record.clone();
        // The version after the write: `is_stored` compares the version, too.
        record.version = expected.saturating_add(1);
        self.call(Access::Transaction, move |db| {
            claim(db, &record)?;
            let row = StoreRow::new(&record);
            let mut values = row.parameters();
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
                if db.in_doubt && is_stored(db, &record)? {
                    return Ok(());
                }
                return Err(RepositoryError::Stale.into());
            }
            remove_other_keys(db, &record)?;
            add_keys(db, &record)
        })
        .await
    }

    #[tracing::instrument(name = "db.store.note_key_uses", level = "debug", skip_all)]
    async fn note_key_uses(&self, uses: &KeyUses) -> Result<()> {
        let inputs = uses.iter().map(|((store, key), minute)| UseInput {
            store_id: store.to_string(),
            key_id: key.to_string(),
            minute: minute.as_millis(),
        });
        let uses = json::write(&inputs.collect::<Vec<_>>())?;
        self.call(Access::Change, move |db| {
            db.run(NOTE_KEY_USES, &[("uses", uses.as_str().into())])
        })
        .await
    }

    #[tracing::instrument(name = "db.store.sealing_key", level = "debug", skip_all)]
    async fn sealing_key(&self) -> Result<Option<MasterKeyId>> {
        self.call(Access::Read, sealing_key).await
    }

    #[tracing::instrument(name = "db.store.reseal", level = "debug", skip_all)]
    async fn reseal(
        &self,
        expected: Option<MasterKeyId>,
        with: MasterKeyId,
        issuer: Arc<dyn KeyIssuer>,
    ) -> Result<ResealReport> {
        self.call(Access::Unlimited, move |db| {
            if expected.is_none() {
                insert_sealing_key(db, with)?;
            }
            // Waits for transactions that add keys. Later transactions wait for this one.
            if locked_sealing_key(db, Lock::Exclusive)? != expected.or(Some(with)) {
                return Err(RepositoryError::Stale.into());
            }
            db.execute(
                "UPDATE sealing_key SET master_key_id = :id WHERE id = 1",
                &[("id", with.into())],
            )?;
            let mut report = ResealReport::default();
            for table in [STORE_KEYS, WEBHOOK_SECRETS] {
                reseal(db, &table, with, issuer.as_ref(), &mut report)?;
            }
            Ok(report)
        })
        .await
    }
}

/// Does not compare the times of key uses, because they change at any time.
fn is_stored(db: &mut Db<'_>, record: &StoreRecord) -> Result<bool, Failure> {
    let without_uses = |mut record: StoreRecord| {
        record
            .keys
            .iter_mut()
            .for_each(|key| key.last_used_at = None);
        record
    };
    let stored = find(db, record.store.id)?.map(without_uses);
    Ok(stored == Some(without_uses(record.clone())))
}
