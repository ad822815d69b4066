//! The store directory in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use super::lock;
use crate::id::{Prefix, StoreId};
use crate::ports::{RepositoryError, StoreDirectory};
use crate::store::{Store, StoreRecord};

/// Keeps stores in memory. Clones share what they keep.
#[derive(Debug, Clone, Default)]
pub struct MemoryStores {
    records: Arc<Mutex<HashMap<StoreId, StoreRecord>>>,
}

impl MemoryStores {
    /// A directory without stores.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The prefix of a store's order numbers, where there is such a store.
    pub(super) fn prefix(&self, id: StoreId) -> Option<Prefix> {
        lock(&self.records).get(&id).map(|record| record.store.prefix.clone())
    }
}

#[async_trait]
impl StoreDirectory for MemoryStores {
    async fn add(&self, record: &StoreRecord) -> Result<(), RepositoryError> {
        let mut records = lock(&self.records);
        if records.values().any(|other| other.store.prefix == record.store.prefix) {
            return Err(RepositoryError::Duplicate("the prefix"));
        }
        if records.contains_key(&record.store.id) {
            return Err(RepositoryError::Duplicate("the store"));
        }
        records.insert(record.store.id, record.clone());
        Ok(())
    }

    async fn find(&self, id: StoreId) -> Result<Option<StoreRecord>, RepositoryError> {
        Ok(lock(&self.records).get(&id).cloned())
    }

    async fn list(&self) -> Result<Vec<StoreRecord>, RepositoryError> {
        let mut records: Vec<StoreRecord> = lock(&self.records).values().cloned().collect();
        records.sort_by_key(|record| (record.store.created_at, record.store.id));
        Ok(records)
    }

    async fn replace(&self, record: &StoreRecord, expected: u32) -> Result<(), RepositoryError> {
        let mut records = lock(&self.records);
        let stored = records.get_mut(&record.store.id).filter(|stored| stored.version == expected);
        let stored = stored.ok_or(RepositoryError::Stale)?;
        let Store { id, prefix, created_at, .. } = stored.store.clone();
        *stored = StoreRecord {
            store: Store { id, prefix, created_at, ..record.store.clone() },
            keys: record.keys.clone(),
            version: expected.saturating_add(1),
        };
        Ok(())
    }
}
