//! Audit log in memory.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use crate::audit::{AuditEntry, AuditLog};
use crate::memory::at_most;
use pressline_domain::error::Result;
use pressline_domain::value::AuditId;
use pressline_kit::lock;

/// Stores the audit log in memory. Clones share their data.
#[derive(Debug, Clone, Default)]
pub struct MemoryAudit {
    entries: Arc<Mutex<BTreeMap<AuditId, AuditEntry>>>,
}

#[async_trait]
impl AuditLog for MemoryAudit {
    async fn append(&self, entry: &AuditEntry) -> Result<()> {
        lock(&self.entries).insert(entry.id, entry.clone());
        Ok(())
    }

    async fn entries(&self, before: Option<AuditId>, limit: u32) -> Result<Vec<AuditEntry>> {
        let end = before.map_or(Bound::Unbounded, Bound::Excluded);

        let entries = lock(&self.entries);
        let range = entries
            .range((Bound::Unbounded, end))
            .rev()
            .take(at_most(limit));
        Ok(range.map(|(_, entry)| entry.clone()).collect())
    }
}
