//! What the audit records of stores.

use crate::audit::{Audit, AuditRecorder, Author};
use crate::store::StoreAdmin;

impl StoreAdmin {
    /// Records changes in this audit, once an author is known.
    #[must_use]
    pub fn audited(mut self, audit: Audit) -> Self {
        self.trail = AuditRecorder::new(audit);
        self
    }

    /// Returns the same use cases for this author, whose changes are recorded.
    pub fn by(&self, author: Author) -> Self {
        let mut admin = self.clone();
        admin.trail = self.trail.by(author);
        admin
    }
}
