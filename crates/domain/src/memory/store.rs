//! The store directory in memory.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use crate::error::{RepositoryError, Result};
use crate::store::{
    KeyIssuer, KeyOwner, KeyUses, MasterKeyId, ResealReport, Store, StoreDirectory, StoreKey,
    StoreRecord,
};
use crate::value::{Prefix, StoreId};
use pressline_kit::lock;

/// Secret keys that are stored outside of the store directory but sealed with the same master key,
/// such as the secrets of webhook endpoints.
pub trait SealedKeys: fmt::Debug + Send + Sync {
    /// Calls `reseal` for each key and its owner, and increases the version of the owner's record.
    fn reseal(&self, reseal: &mut dyn FnMut(KeyOwner, &mut StoreKey));
}

/// Keeps a store directory in memory. Clones share their content.
#[derive(Debug, Clone, Default)]
pub struct MemoryStores {
    kept: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    records: HashMap<StoreId, StoreRecord>,
    elsewhere: Vec<Arc<dyn SealedKeys>>,
    sealing_key: Option<MasterKeyId>,
}

impl Inner {
    /// The first of `keys` decides the master key of a directory without a master key. Make all
    /// other checks first, because this call can change the directory.
    fn claim<'k>(&mut self, mut keys: impl Iterator<Item = &'k StoreKey>) -> Result<()> {
        let Some(first) = keys.next() else {
            return Ok(());
        };
        let seals = self.sealing_key.unwrap_or(first.sealed_with);
        if first.sealed_with != seals || keys.any(|key| key.sealed_with != seals) {
            return Err(RepositoryError::Stale);
        }
        self.sealing_key = Some(seals);
        Ok(())
    }
}

impl MemoryStores {
    /// Creates a directory without stores.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn prefix(&self, id: StoreId) -> Option<Prefix> {
        let inner = lock(&self.kept);
        Some(inner.records.get(&id)?.store.prefix.clone())
    }

    /// Returns the ids of all stores, in any order.
    pub fn ids(&self) -> Vec<StoreId> {
        lock(&self.kept).records.keys().copied().collect()
    }

    /// Calls `keep` to store new keys outside of the directory, if `keys` are sealed with the
    /// current master key.
    ///
    /// # Errors
    /// [`RepositoryError::Stale`], without a call of `keep`, if another master key sealed a key.
    pub fn keep_keys<'k>(
        &self,
        keys: impl Iterator<Item = &'k StoreKey>,
        keep: impl FnOnce(),
    ) -> Result<()> {
        let mut inner = lock(&self.kept);
        inner.claim(keys)?;
        keep();
        Ok(())
    }

    /// Registers `keys` with the directory, so that [`StoreDirectory::reseal`] also reseals them.
    pub fn reseal_also(&self, keys: Arc<dyn SealedKeys>) {
        lock(&self.kept).elsewhere.push(keys);
    }
}

#[async_trait]
impl StoreDirectory for MemoryStores {
    async fn add(&self, record: &StoreRecord) -> Result<()> {
        let mut inner = lock(&self.kept);
        let mut others = inner.records.values();
        if others.any(|other| other.store.prefix == record.store.prefix) {
            return Err(RepositoryError::Duplicate("the prefix"));
        }
        if inner.records.contains_key(&record.store.id) {
            return Err(RepositoryError::Duplicate("the store"));
        }
        inner.claim(record.keys.iter())?;
        inner.records.insert(record.store.id, record.clone());
        Ok(())
    }

    async fn find(&self, id: StoreId) -> Result<Option<StoreRecord>> {
        Ok(lock(&self.kept).records.get(&id).cloned())
    }

    async fn with_prefix(&self, prefix: &Prefix) -> Result<Option<Store>> {
        let inner = lock(&self.kept);
        let mut stores = inner.records.values().map(|record| &record.store);
        Ok(stores.find(|store| store.prefix == *prefix).cloned())
    }

    async fn list(&self) -> Result<Vec<StoreRecord>> {
        let mut records: Vec<StoreRecord> = lock(&self.kept).records.values().cloned().collect();
        records.sort_by_key(|record| (record.store.created_at, record.store.id));
        Ok(records)
    }

    async fn replace(&self, record: &StoreRecord, expected: u32) -> Result<()> {
        let mut inner = lock(&self.kept);
        let current = inner.records.get(&record.store.id);
        let stored = current
            .filter(|stored| stored.version == expected)
            .ok_or(RepositoryError::Stale)?
            .clone();
        let had = |key: &StoreKey| stored.keys.iter().any(|other| other.id == key.id);
        inner.claim(record.keys.iter().filter(|key| !had(key)))?;
        let keys = record.keys.iter();
        let changed = StoreRecord {
            keys: keys.map(|key| with_noted_use(key, &stored.keys)).collect(),
            store: Store {
                // These fields never change after the creation.
                prefix: stored.store.prefix,
                test: stored.store.test,
                created_at: stored.store.created_at,
                ..record.store.clone()
            },
            version: expected.saturating_add(1),
        };
        inner.records.insert(changed.store.id, changed);
        Ok(())
    }

    async fn note_key_uses(&self, uses: &KeyUses) -> Result<()> {
        let mut inner = lock(&self.kept);
        for ((store, key), minute) in uses {
            let keys = inner.records.get_mut(store).map(|record| &mut record.keys);
            for noted in keys.into_iter().flatten().filter(|noted| noted.id == *key) {
                // Calls can be recorded in another order than they were made.
                noted.last_used_at = noted.last_used_at.max(Some(*minute));
            }
        }
        Ok(())
    }

    async fn sealing_key(&self) -> Result<Option<MasterKeyId>> {
        Ok(lock(&self.kept).sealing_key)
    }

    async fn reseal(
        &self,
        expected: Option<MasterKeyId>,
        with: MasterKeyId,
        issuer: Arc<dyn KeyIssuer>,
    ) -> Result<ResealReport> {
        let mut inner = lock(&self.kept);
        if inner.sealing_key != expected {
            return Err(RepositoryError::Stale);
        }
        inner.sealing_key = Some(with);
        let mut report = ResealReport::default();
        let mut reseal = |owner, key: &mut StoreKey| {
            if let Some(sealed) = report.reseal(owner, key, with, issuer.as_ref()) {
                key.sealed = sealed;
                key.sealed_with = with;
            }
        };
        // A store without keys does not change, so its version stays.
        let stores = inner.records.values_mut();
        for record in stores.filter(|record| !record.keys.is_empty()) {
            record.version = record.version.saturating_add(1);
            let owner = KeyOwner::Store(record.store.id);
            record.keys.iter_mut().for_each(|key| reseal(owner, key));
        }
        for keys in &inner.elsewhere {
            keys.reseal(&mut reseal);
        }
        Ok(report)
    }
}

/// Keeps the time of last use from `stored`, because the caller may have read an earlier time.
fn with_noted_use(key: &StoreKey, stored: &[StoreKey]) -> StoreKey {
    let before = stored.iter().find(|before| before.id == key.id);
    StoreKey {
        last_used_at: before.map_or(key.last_used_at, |before| before.last_used_at),
        ..key.clone()
    }
}
