//! Audit logging of the store administration.

use crate::audit::{Audit, AuditContext, AuditRecorder};
use crate::store::StoreAdmin;

impl StoreAdmin {
    /// Enables audit logging in `audit`. Entries are written only after [`by`](Self::by) has set an
    /// author.
    #[must_use]
    pub fn audited(mut self, audit: Audit) -> Self {
        self.trail = AuditRecorder::new(audit);
        self
    }

    /// Returns the administration with `author` as the author of its audit entries.
    pub fn by(&self, author: AuditContext) -> Self {
        let mut admin = self.clone();
        admin.trail = self.trail.by(author);
        admin
    }
}
