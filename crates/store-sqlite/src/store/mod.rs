//! Stores and their keys in SQLite. The statements are those of the store kit.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{KeyId, Prefix, StoreId};
use pressline_domain::store::{
    KeyIssuer, MasterKeyId, ResealReport, Store, StoreDirectory, StoreRecord,
};
use pressline_domain::time::Timestamp;
use pressline_store_kit::{RowLocks, Stores};

use crate::SqliteStore;
use crate::error::Failure;
use crate::order::begin_first_chunk;

/// One connection writes at a time, so that no row needs a lock.
fn stores(connection: &mut SqliteConnection) -> Stores<'_, SqliteConnection, Failure> {
    Stores::new(connection, RowLocks::default())
}

#[async_trait]
impl StoreDirectory for SqliteStore {
    #[tracing::instrument(name = "db.store.add", level = "debug", skip_all)]
    async fn add(&self, record: &StoreRecord) -> Result<(), RepositoryError> {
        let record = record.clone();
        self.change_alone(move |connection| {
            if !stores(connection).add(&record)? {
                return Err(RepositoryError::Duplicate("a store with this prefix").into());
            }
            begin_first_chunk(connection, &record.store.id.to_string())?;
            Ok(())
        })
        .await
    }

    #[tracing::instrument(name = "db.store.find", level = "debug", skip_all)]
    async fn find(&self, id: StoreId) -> Result<Option<StoreRecord>, RepositoryError> {
        self.readers
            .call(move |connection| stores(connection).find(id))
            .await
    }

    #[tracing::instrument(name = "db.store.with_prefix", level = "debug", skip_all)]
    async fn with_prefix(&self, prefix: &Prefix) -> Result<Option<Store>, RepositoryError> {
        let prefix = prefix.clone();
        self.readers
            .call(move |connection| stores(connection).with_prefix(&prefix))
            .await
    }

    #[tracing::instrument(name = "db.store.list", level = "debug", skip_all)]
    async fn list(&self) -> Result<Vec<StoreRecord>, RepositoryError> {
        self.readers
            .call(|connection| stores(connection).list())
            .await
    }

    #[tracing::instrument(name = "db.store.replace", level = "debug", skip_all)]
    async fn replace(&self, record: &StoreRecord, expected: u32) -> Result<(), RepositoryError> {
        let mut record = record.clone();
        record.version = expected.saturating_add(1);
        self.change_alone(move |connection| {
            match stores(connection).replace(&record, expected)? {
                true => Ok(()),
                false => Err(RepositoryError::Stale.into()),
            }
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
        self.change_alone(move |connection| stores(connection).note_key_use(store, key, minute))
            .await
    }

    #[tracing::instrument(name = "db.store.sealing_key", level = "debug", skip_all)]
    async fn sealing_key(&self) -> Result<Option<MasterKeyId>, RepositoryError> {
        self.readers
            .call(|connection| stores(connection).sealing_key())
            .await
    }

    #[tracing::instrument(name = "db.store.reseal", level = "debug", skip_all)]
    async fn reseal(
        &self,
        expected: Option<MasterKeyId>,
        with: MasterKeyId,
        issuer: Arc<dyn KeyIssuer>,
    ) -> Result<ResealReport, RepositoryError> {
        self.change_alone(move |connection| {
            stores(connection).reseal(expected, with, issuer.as_ref())
        })
        .await
    }
}
