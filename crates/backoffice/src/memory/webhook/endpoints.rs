//! Table of webhook endpoints. Their secrets are encrypted with the master key of the stores.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use crate::memory::lock;
use crate::webhook::EndpointRecord;
use pressline_domain::error::Result;
use pressline_domain::memory::{MemoryStores, SealedKeys};
use pressline_domain::store::{KeyOwner, StoreKey};
use pressline_domain::value::id::{EndpointId, KeyId};

#[derive(Debug, Default)]
pub(super) struct Endpoints(Mutex<BTreeMap<EndpointId, EndpointRecord>>);

impl Endpoints {
    pub(super) fn find(&self, id: EndpointId) -> Option<EndpointRecord> {
        lock(&self.0).get(&id).cloned()
    }

    pub(super) fn all(&self) -> Vec<EndpointRecord> {
        lock(&self.0).values().cloned().collect()
    }

    /// Returns `false` and adds nothing if the owner already has `limit` endpoints.
    pub(super) fn add(
        &self,
        stores: &MemoryStores,
        record: &EndpointRecord,
        limit: usize,
    ) -> Result<bool> {
        let owner = record.endpoint.scope.owner();
        let others = self.all();
        let own = others
            .iter()
            .filter(|other| other.endpoint.scope.owner() == owner);
        if own.count() >= limit {
            return Ok(false);
        }
        self.replace(stores, record)?;
        Ok(true)
    }

    /// Adds or replaces the endpoint of `record`, without checking the stored version.
    pub(super) fn replace(&self, stores: &MemoryStores, record: &EndpointRecord) -> Result<()> {
        let id = record.endpoint.id;
        let had = self.find(id).map(|stored| stored.secrets);
        let had = had.iter().flatten().map(|secret| secret.key.id);
        let had: BTreeSet<KeyId> = had.collect();
        let keys = record.secrets.iter().map(|secret| &secret.key);
        // Only new secrets must be encrypted with the current master key.
        let new = keys.filter(|key| !had.contains(&key.id));
        stores.keep_keys(new, || _ = lock(&self.0).insert(id, record.clone()))
    }

    pub(super) fn remove(&self, id: EndpointId) -> bool {
        lock(&self.0).remove(&id).is_some()
    }
}

impl SealedKeys for Endpoints {
    fn reseal(&self, reseal: &mut dyn FnMut(KeyOwner, &mut StoreKey)) {
        for record in lock(&self.0).values_mut() {
            // Workers cache decrypted secrets by this version.
            record.version = record.version.saturating_add(1);
            let owner = KeyOwner::Endpoint(record.endpoint.id);
            let secrets = record.secrets.iter_mut();
            secrets.for_each(|secret| reseal(owner, &mut secret.key));
        }
    }
}
