//! Writing and reading the audit.

use std::sync::Arc;

use super::{AuditAction, AuditEntry, AuditLog, Author};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::AuditId;
use pressline_domain::runtime::{Clock, IdSource};

/// Maximum number of characters of a subject.
const SUBJECT: usize = 1000;

/// Writes and reads the audit.
#[derive(Clone)]
pub struct Audit {
    log: Arc<dyn AuditLog>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
}

impl Audit {
    /// Returns an audit over these ports.
    pub fn new(log: Arc<dyn AuditLog>, clock: Arc<dyn Clock>, ids: Arc<dyn IdSource>) -> Self {
        Self { log, clock, ids }
    }

    /// Returns the audit of what one author does.
    pub fn by(&self, author: Author) -> AuditRecorder {
        AuditRecorder {
            audit: Some(self.clone()),
            author: Some(author),
        }
    }

    /// Returns entries, newest first: the newest ones, or those before an entry.
    #[pressline_kit::boxed]
    pub async fn entries(
        &self,
        before: Option<AuditId>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, RepositoryError> {
        self.log.entries(before, limit).await
    }
}

/// Records what one author does. Without an audit or an author, as by default, it records nothing: stores
/// and the service itself are no authors.
#[derive(Clone, Default)]
pub struct AuditRecorder {
    audit: Option<Audit>,
    author: Option<Author>,
}

impl AuditRecorder {
    /// Returns a trail in this audit, which has no author yet.
    pub fn new(audit: Audit) -> Self {
        Self {
            audit: Some(audit),
            author: None,
        }
    }

    /// Returns the trail of this author.
    pub fn by(&self, author: Author) -> Self {
        Self {
            audit: self.audit.clone(),
            author: Some(author),
        }
    }

    /// Records an action.
    ///
    /// Call it when all is checked, and before the action is written: what cannot be recorded is
    /// not done. An action that then fails has an entry nevertheless.
    pub async fn record(
        &self,
        action: AuditAction,
        subject: impl Into<String> + Send,
    ) -> Result<(), RepositoryError> {
        let (Some(audit), Some(author)) = (&self.audit, &self.author) else {
            return Ok(());
        };
        let at = audit.clock.now();
        let subject = subject.into();
        let entry = AuditEntry {
            id: AuditId::new(audit.ids.next(at)),
            at,
            author: author.clone(),
            action,
            subject: subject.chars().take(SUBJECT).collect(),
        };
        audit.log.append(&entry).await
    }
}
