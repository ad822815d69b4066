//! Statements about stores and their keys.

use std::sync::Arc;

use async_trait::async_trait;
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::store::{
    KeyIssuer, MasterKeyId, ResealReport, Store, StoreDirectory, StoreRecord,
};
use pressline_domain::value::{KeyId, Prefix, StoreId, Timestamp};

use super::row::{KeyRow, StoreRow, group_by_store};
use crate::cold_store::{Access, ColdStore, Db};
use crate::cold_value::RowValues as _;
use crate::failure::Failure;
use crate::json;
use crate::resealing::{STORE_KEYS, WEBHOOK_SECRETS, reseal};
use crate::sealing_key::{claim_key, insert_sealing_key, locked_sealing_key, sealing_key};

pub(super) fn find(db: &mut Db<'_>, id: StoreId) -> Result<Option<StoreRecord>, Failure> {
    let rows = db.load(
        "SELECT stores.*, store_keys.*
         FROM stores
         LEFT JOIN store_keys ON store_keys.store_id = stores.store_id
         WHERE stores.store_id = :store_id
         ORDER BY store_keys.position",
        &[("store_id", id.into())],
    )?;
    Ok(group_by_store(rows)?.pop())
}

fn remove_other_keys(db: &mut Db<'_>, record: &StoreRecord) -> Result<(), Failure> {
    let kept: Vec<KeyId> = record.keys.iter().map(|key| key.id).collect();
    let text = format!(
        "DELETE FROM store_keys
         WHERE store_id = :store_id
           AND NOT (key_id {})",
        db.dialect.in_texts(":kept")
    );
    let kept = ("kept", json::write(&kept)?.into());
    db.run(&text, &[("store_id", record.store.id.into()), kept])
}

/// Stored keys keep their `last_used_at`, because it may be later than the value in `record`.
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

/// Claims the master key of each new key of `record`, see [`claim_key`].
fn claim(db: &mut Db<'_>, record: &StoreRecord) -> Result<(), Failure> {
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
                "INSERT INTO stores ({stores})
                 VALUES ({:stores})
                 ON CONFLICT DO NOTHING",
                &row.values(),
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
        let row = self.load::<StoreRow>(
            "SELECT {stores} FROM stores WHERE prefix = :prefix",
            vec![("prefix", prefix.as_str().into())],
        );
        let row = row.await?.pop();
        let record = row.map(|row| row.restore(Vec::new())).transpose()?;
        Ok(record.map(|record| record.store))
    }

    #[tracing::instrument(name = "db.store.list", level = "debug", skip_all)]
    async fn list(&self) -> Result<Vec<StoreRecord>> {
        let rows = self.load(
            "SELECT stores.*, store_keys.*
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
            let mut values = StoreRow::new(&record).values();
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

    #[tracing::instrument(name = "db.store.note_key_use", level = "debug", skip_all)]
    async fn note_key_use(&self, store: StoreId, key: KeyId, minute: Timestamp) -> Result<()> {
        let values = vec![
            ("store_id", store.into()),
            ("key_id", key.into()),
            ("minute", minute.into()),
        ];
        let text = "UPDATE store_keys
             SET last_used_at = :minute
             WHERE store_id = :store_id
               AND key_id = :key_id
               AND (last_used_at IS NULL OR last_used_at < :minute)";
        self.execute(text, values).await?;
        Ok(())
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
            let lock = db.dialect.locks.exclusive;
            if locked_sealing_key(db, lock)? != expected.or(Some(with)) {
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
