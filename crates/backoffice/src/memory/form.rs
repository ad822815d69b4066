//! Form results and uploaded import files in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use crate::memory::{at_most, prune};
use crate::operator::{FormClaim, FormKey, FormResults, Upload, UploadKey, UploadRepository};
use pressline_domain::error::Result;
use pressline_domain::value::Timestamp;
use pressline_kit::lock;

/// Each form has the time of its claim, and its result if it is finished.
type Forms = BTreeMap<FormKey, (Timestamp, Option<String>)>;

/// Stores form results in memory. Clones share their data.
#[derive(Debug, Clone, Default)]
pub struct MemoryForms {
    forms: Arc<Mutex<Forms>>,
}

#[async_trait]
impl FormResults for MemoryForms {
    async fn claim(&self, key: FormKey, at: Timestamp) -> Result<FormClaim> {
        let mut forms = lock(&self.forms);
        Ok(match forms.get(&key) {
            Some((_, Some(result))) => FormClaim::Done(result.clone()),
            Some(_) => FormClaim::Unfinished,
            None => {
                forms.insert(key, (at, None));
                FormClaim::First
            }
        })
    }

    async fn finish(&self, key: FormKey, result: &str) -> Result<()> {
        if let Some((_, finished)) = lock(&self.forms).get_mut(&key) {
            *finished = Some(result.to_owned());
        }
        Ok(())
    }

    async fn give_up(&self, key: FormKey) -> Result<()> {
        // A finished form keeps its result.
        lock(&self.forms).retain(|other, (_, result)| *other != key || result.is_some());
        Ok(())
    }

    async fn prune_forms(&self, before: Timestamp, limit: u32) -> Result<u64> {
        Ok(prune(&self.forms, limit, |(at, _)| *at < before))
    }
}

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
        let mut own: Vec<_> = uploads
            .iter()
            .filter(|(other, _)| other.operator == key.operator)
            .map(|(key, (at, _))| (*at, *key))
            .collect();
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
