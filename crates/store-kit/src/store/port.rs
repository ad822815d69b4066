//! Implements the port of stores.

use std::sync::Arc;

use async_trait::async_trait;
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::store::{
    KeyIssuer, MasterKeyId, ResealReport, Store, StoreDirectory, StoreRecord,
};
use pressline_domain::value::id::{KeyId, Prefix, StoreId};
use pressline_domain::value::time::Timestamp;

use super::{directory, sealing};
use crate::cold_store::{Access, ColdStore, Db};
use crate::failure::Failure;
use crate::sealing_key::sealing_key;

#[async_trait]
impl StoreDirectory for ColdStore {
    #[tracing::instrument(name = "db.store.add", level = "debug", skip_all)]
    async fn add(&self, record: &StoreRecord) -> Result<()> {
        let record = record.clone();
        self.call(Access::Transaction, move |db| {
            if directory::add(db, &record)? || (db.in_doubt && is_stored(db, &record)?) {
                return Ok(());
            }
            Err(RepositoryError::Duplicate("a store with this prefix").into())
        })
        .await
    }

    #[tracing::instrument(name = "db.store.find", level = "debug", skip_all)]
    async fn find(&self, id: StoreId) -> Result<Option<StoreRecord>> {
        self.call(Access::Read, move |db| directory::find(db, id))
            .await
    }

    #[tracing::instrument(name = "db.store.with_prefix", level = "debug", skip_all)]
    async fn with_prefix(&self, prefix: &Prefix) -> Result<Option<Store>> {
        let prefix = prefix.clone();
        self.call(Access::Read, move |db| directory::with_prefix(db, &prefix))
            .await
    }

    #[tracing::instrument(name = "db.store.list", level = "debug", skip_all)]
    async fn list(&self) -> Result<Vec<StoreRecord>> {
        self.call(Access::Read, directory::list).await
    }

    #[tracing::instrument(name = "db.store.replace", level = "debug", skip_all)]
    async fn replace(&self, record: &StoreRecord, expected: u32) -> Result<()> {
        let mut record = record.clone();
        // The version after the write: `is_stored` compares the version, too.
        record.version = expected.saturating_add(1);
        self.call(Access::Transaction, move |db| {
            if directory::replace(db, &record, expected)?
                || (db.in_doubt && is_stored(db, &record)?)
            {
                return Ok(());
            }
            Err(RepositoryError::Stale.into())
        })
        .await
    }

    #[tracing::instrument(name = "db.store.note_key_use", level = "debug", skip_all)]
    async fn note_key_use(&self, store: StoreId, key: KeyId, minute: Timestamp) -> Result<()> {
        self.call(Access::Change, move |db| {
            directory::note_key_use(db, store, key, minute)
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
            sealing::reseal(db, expected, with, issuer.as_ref())
        })
        .await
    }
}

/// Returns `true` if an earlier attempt of the call was committed: the store in the database equals
/// `record`. Times of key uses are not compared, because they change at any time.
fn is_stored(db: &mut Db<'_>, record: &StoreRecord) -> Result<bool, Failure> {
    let without_uses = |mut record: StoreRecord| {
        record
            .keys
            .iter_mut()
            .for_each(|key| key.last_used_at = None);
        record
    };
    let stored = directory::find(db, record.store.id)?.map(without_uses);
    Ok(stored == Some(without_uses(record.clone())))
}
