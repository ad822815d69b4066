//! The port that keeps the audit.

use async_trait::async_trait;

use super::AuditEntry;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::AuditId;

/// Keeps the entries of the audit. One call is one transaction.
#[async_trait]
pub trait AuditLog: Send + Sync {
    /// Adds an entry, which MUST be read as it was given (`an_audit_entry_is_read_as_given`).
    async fn append(&self, entry: &AuditEntry) -> Result<(), RepositoryError>;

    /// Returns entries by descending id, at most so many: the newest ones, or those before an id
    /// (`the_audit_is_read_newest_first`).
    async fn entries(
        &self,
        before: Option<AuditId>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, RepositoryError>;
}
