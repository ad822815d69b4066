//! The audit in SQLite. The statements are those of the store kit.

use async_trait::async_trait;
use diesel::sqlite::SqliteConnection;
use pressline_domain::audit::{AuditEntry, AuditLog};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::AuditId;
use pressline_store_kit::AuditEntries;

use crate::SqliteStore;
use crate::error::Failure;

fn audit(connection: &mut SqliteConnection) -> AuditEntries<'_, SqliteConnection, Failure> {
    AuditEntries::new(connection)
}

#[async_trait]
impl AuditLog for SqliteStore {
    #[tracing::instrument(name = "db.audit.append", level = "debug", skip_all)]
    async fn append(&self, entry: &AuditEntry) -> Result<(), RepositoryError> {
        let entry = entry.clone();
        self.change_alone(move |connection| audit(connection).append(&entry))
            .await
    }

    #[tracing::instrument(name = "db.audit.entries", level = "debug", skip_all)]
    async fn entries(
        &self,
        before: Option<AuditId>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, RepositoryError> {
        self.readers
            .call(move |connection| audit(connection).entries(before, limit))
            .await
    }
}
