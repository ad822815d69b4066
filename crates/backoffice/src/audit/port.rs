//! Port of the audit log.

use async_trait::async_trait;

use super::entry::AuditEntry;
use pressline_domain::error::Result;
use pressline_domain::value::AuditId;

/// Stores audit entries. Each call is one transaction.
#[async_trait]
pub trait AuditLog: Send + Sync {
    /// Adds `entry`. It MUST be read back unchanged (`an_audit_entry_is_read_as_given`).
    async fn append(&self, entry: &AuditEntry) -> Result<()>;

    /// Returns up to `limit` entries, newest first; if `before` is given, only entries with lower
    /// ids than `before` (`the_audit_is_read_newest_first`).
    async fn entries(&self, before: Option<AuditId>, limit: u32) -> Result<Vec<AuditEntry>>;
}
