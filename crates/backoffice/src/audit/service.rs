//! Use cases of the audit log.

use std::sync::Arc;

use super::action::AuditAction;
use super::entry::{AuditContext, AuditEntry};
use super::port::AuditLog;
use pressline_domain::error::Result;
use pressline_domain::runtime::{Clock, IdSource};
use pressline_domain::value::AuditId;

/// Maximum length of an audit entry's subject, in characters. Longer subjects are cut.
const SUBJECT: usize = 1000;

/// Writes and reads the audit log.
#[derive(Clone)]
pub struct Audit {
    log: Arc<dyn AuditLog>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
}

impl Audit {
    /// Creates the service over `log`. `clock` and `ids` give each entry its time and id.
    pub fn new(log: Arc<dyn AuditLog>, clock: Arc<dyn Clock>, ids: Arc<dyn IdSource>) -> Self {
        Self { log, clock, ids }
    }

    /// Returns up to `limit` entries, newest first; if `before` is given, only older entries.
    #[pressline_kit::boxed]
    pub async fn entries(&self, before: Option<AuditId>, limit: u32) -> Result<Vec<AuditEntry>> {
        self.log.entries(before, limit).await
    }
}

/// Recorder of the actions of its `author`. Without an author, as by default, it records nothing:
/// changes by stores and by automatic processes are not audited.
#[derive(Clone, Default)]
pub struct AuditRecorder {
    audit: Option<Audit>,
    author: Option<AuditContext>,
}

impl AuditRecorder {
    /// Returns a recorder without an author: it records nothing, see [`by`](Self::by).
    pub fn new(audit: Audit) -> Self {
        Self {
            audit: Some(audit),
            author: None,
        }
    }

    /// Returns a recorder of the actions of `author`.
    pub fn by(&self, author: AuditContext) -> Self {
        Self {
            audit: self.audit.clone(),
            author: Some(author),
        }
    }

    /// Records `action` on `subject`.
    ///
    /// Call it after all checks and before the change is written: if the entry cannot be stored,
    /// the change must not happen. If the change then fails, its entry remains.
    pub async fn record(
        &self,
        action: AuditAction,
        subject: impl Into<String> + Send,
    ) -> Result<()> {
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
            // Cut instead of refused: without its entry, the change could not be made.
            subject: subject.chars().take(SUBJECT).collect(),
        };
        audit.log.append(&entry).await
    }
}

/// Adds the methods `audited` and `by` to a service with a field `recorder` of type `AuditRecorder`.
macro_rules! audited {
    ($service:ident) => {
        impl $service {
            /// Returns the service with `audit`. Only copies from [`by`](Self::by) write entries.
            #[must_use]
            pub fn audited(mut self, audit: $crate::audit::Audit) -> Self {
                self.recorder = $crate::audit::AuditRecorder::new(audit);
                self
            }

            /// Returns a copy of the service that writes audit entries with `author` as their
            /// author.
            pub fn by(&self, author: $crate::audit::AuditContext) -> Self {
                Self {
                    recorder: self.recorder.by(author),
                    ..self.clone()
                }
            }
        }
    };
}
pub(crate) use audited;
