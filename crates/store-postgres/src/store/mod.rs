//! Stores and their keys in PostgreSQL. The statements are those of the store kit.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{KeyId, Prefix, StoreId};
use pressline_domain::store::{
    KeyIssuer, MasterKeyId, ResealReport, Store, StoreDirectory, StoreRecord,
};
use pressline_domain::time::Timestamp;
use pressline_store_kit::{RowLocks, Stores, blocking};

use crate::PostgresStore;
use crate::error::Failure;
use crate::session::{Plans, without_time_limit};

pub(crate) const LOCKS: RowLocks = RowLocks {
    shared: "FOR SHARE",
    exclusive: "FOR UPDATE",
};

fn stores(connection: &mut PgConnection) -> Stores<'_, PgConnection, Failure> {
    Stores::new(connection, LOCKS)
}

diesel::table! {
    event_counters (store_id) {
        store_id -> Text,
        last_sequence -> BigInt,
    }
}

/// Adds a store with its keys and counters. False where the store, or another one with its prefix, exists.
fn add(connection: &mut PgConnection, record: &StoreRecord) -> Result<bool, Failure> {
    let is_added = stores(connection).add(record)?;
    if is_added {
        let counter = (
            event_counters::store_id.eq(record.store.id.to_string()),
            event_counters::last_sequence.eq(0),
        );
        diesel::insert_into(event_counters::table)
            .values(counter)
            .execute(connection)?;
    }
    Ok(is_added)
}

#[async_trait]
impl StoreDirectory for PostgresStore {
    #[tracing::instrument(name = "db.store.add", level = "debug", skip_all)]
    async fn add(&self, record: &StoreRecord) -> Result<(), RepositoryError> {
        let record = record.clone();
        self.pool
            .call(move |connection, in_doubt| {
                if connection.transaction(|connection| add(connection, &record))? {
                    return Ok(());
                }
                if in_doubt && is_stored(connection, &record)? {
                    return Ok(());
                }
                Err(RepositoryError::Duplicate("a store with this prefix").into())
            })
            .await
    }

    #[tracing::instrument(name = "db.store.find", level = "debug", skip_all)]
    async fn find(&self, id: StoreId) -> Result<Option<StoreRecord>, RepositoryError> {
        self.pool
            .call(move |connection, _| stores(connection).find(id))
            .await
    }

    #[tracing::instrument(name = "db.store.with_prefix", level = "debug", skip_all)]
    async fn with_prefix(&self, prefix: &Prefix) -> Result<Option<Store>, RepositoryError> {
        let prefix = prefix.clone();
        self.pool
            .call(move |connection, _| stores(connection).with_prefix(&prefix))
            .await
    }

    #[tracing::instrument(name = "db.store.list", level = "debug", skip_all)]
    async fn list(&self) -> Result<Vec<StoreRecord>, RepositoryError> {
        self.pool
            .call(|connection, _| stores(connection).list())
            .await
    }

    #[tracing::instrument(name = "db.store.replace", level = "debug", skip_all)]
    async fn replace(&self, record: &StoreRecord, expected: u32) -> Result<(), RepositoryError> {
        let mut record = record.clone();
        record.version = expected.saturating_add(1);
        self.pool
            .call(move |connection, in_doubt| {
                let replaced = connection
                    .transaction(|connection| stores(connection).replace(&record, expected))?;
                if replaced || (in_doubt && is_stored(connection, &record)?) {
                    return Ok(());
                }
                Err(RepositoryError::Stale.into())
            })
            .await
    }

    #[tracing::instrument(name = "db.store.note_key_use", level = "debug", skip_all)]
    async fn note_key_use(
        &self,
        store: StoreId,
        key: KeyId,
        minute: Timestamp,
    ) -> Result<(), RepositoryError> {
        self.pool
            .call(move |connection, _| stores(connection).note_key_use(store, key, minute))
            .await
    }

    #[tracing::instrument(name = "db.store.sealing_key", level = "debug", skip_all)]
    async fn sealing_key(&self) -> Result<Option<MasterKeyId>, RepositoryError> {
        self.pool
            .call(|connection, _| stores(connection).sealing_key())
            .await
    }

    /// On a connection of its own, because it may take longer than a request.
    #[tracing::instrument(name = "db.store.reseal", level = "debug", skip_all)]
    async fn reseal(
        &self,
        expected: Option<MasterKeyId>,
        with: MasterKeyId,
        issuer: Arc<dyn KeyIssuer>,
    ) -> Result<ResealReport, RepositoryError> {
        let manager = self.pool.manager();
        blocking(move || {
            let mut connection = manager
                .open(Plans::Auto)
                .map_err(|error| RepositoryError::Unavailable(error.into()))?;
            let resealed = connection.transaction(|connection| {
                without_time_limit(connection)?;
                stores(connection).reseal(expected, with, issuer.as_ref())
            });
            resealed.map_err(|failure: Failure| failure.into_repository(false))
        })
        .await
    }
}

/// Whether the store is stored as it is here: an earlier try, whose end is not known, was committed.
fn is_stored(connection: &mut PgConnection, record: &StoreRecord) -> Result<bool, Failure> {
    let without_uses = |mut record: StoreRecord| {
        record
            .keys
            .iter_mut()
            .for_each(|key| key.last_used_at = None);
        record
    };
    // Uses of keys are noted at any time.
    let stored = stores(connection).find(record.store.id)?.map(without_uses);
    Ok(stored == Some(without_uses(record.clone())))
}
