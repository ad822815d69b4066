//! Uploaded import files in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use crate::memory::{at_most, prune};
use crate::operator::{Upload, UploadKey, UploadRepository};
use pressline_domain::error::Result;
use pressline_domain::value::Timestamp;
use pressline_kit::lock;

/// Stores uploaded import files in memory. Clones share their data.
#[derive(Debug, Clone, Default)]
pub struct MemoryUploads {
    uploads: Arc<Mutex<BTreeMap<UploadKey, (Timestamp, Upload)>>>,
}

#[async_trait]
impl UploadRepository for MemoryUploads {
    async fn keep_upload(
        &self,
        key: UploadKey,
        upload: &Upload,
        at: Timestamp,
        most: u32,
    ) -> Result<()> {
        let mut uploads = lock(&self.uploads);
        uploads.insert(key, (at, upload.clone()));
        let own = uploads
            .iter()
            .filter(|(other, _)| other.operator == key.operator);
        let mut own: Vec<_> = own.map(|(key, (at, _))| (*at, *key)).collect();
        // The oldest file comes first, and is removed first.
        own.sort_unstable();
        let surplus = own.len().saturating_sub(at_most(most));
        for (_, key) in own.into_iter().take(surplus) {
            uploads.remove(&key);
        }
        Ok(())
    }

    async fn upload(&self, key: UploadKey) -> Result<Option<Upload>> {
        let uploads = lock(&self.uploads);
        Ok(uploads.get(&key).map(|(_, upload)| upload.clone()))
    }

    async fn remove_upload(&self, key: UploadKey) -> Result<()> {
        lock(&self.uploads).remove(&key);
        Ok(())
    }

    async fn prune_uploads(&self, before: Timestamp, limit: u32) -> Result<u64> {
        Ok(prune(&self.uploads, limit, |(at, _)| *at < before))
    }
}
