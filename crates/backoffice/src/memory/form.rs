//! Form results in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use crate::memory::prune;
use crate::operator::{FormClaim, FormKey, FormResults};
use pressline_domain::error::Result;
use pressline_domain::value::Timestamp;
use pressline_kit::lock;

/// Stores form results in memory. Clones share their data.
#[derive(Debug, Clone, Default)]
pub struct MemoryForms {
    forms: Arc<Mutex<BTreeMap<FormKey, FormEntry>>>,
}

#[derive(Debug, Clone)]
struct FormEntry {
    at: Timestamp,
    result: Option<String>,
}

#[async_trait]
impl FormResults for MemoryForms {
    async fn claim(&self, key: FormKey, at: Timestamp) -> Result<FormClaim> {
        let mut forms = lock(&self.forms);
        Ok(match forms.get(&key) {
            Some(FormEntry {
                result: Some(result),
                ..
            }) => FormClaim::Done(result.clone()),
            Some(_) => FormClaim::Unfinished,
            None => {
                forms.insert(key, FormEntry { at, result: None });
                FormClaim::First
            }
        })
    }

    async fn finish(&self, key: FormKey, result: &str) -> Result<()> {
        if let Some(claimed) = lock(&self.forms).get_mut(&key) {
            claimed.result = Some(result.to_owned());
        }
        Ok(())
    }

    async fn give_up(&self, key: FormKey) -> Result<()> {
        // A finished form keeps its result.
        lock(&self.forms).retain(|other, claimed| *other != key || claimed.result.is_some());
        Ok(())
    }

    async fn prune_forms(&self, before: Timestamp, limit: u32) -> Result<u64> {
        Ok(prune(&self.forms, limit, |claimed| claimed.at < before))
    }
}
