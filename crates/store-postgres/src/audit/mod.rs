//! The audit in PostgreSQL. The statements are those of the store kit.

use async_trait::async_trait;
use diesel::pg::PgConnection;
use pressline_domain::audit::{AuditEntry, AuditLog};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::AuditId;
use pressline_store_kit::AuditEntries;

use crate::PostgresStore;
use crate::error::Failure;

fn audit(connection: &mut PgConnection) -> AuditEntries<'_, PgConnection, Failure> {
    AuditEntries::new(connection)
}

#[async_trait]
impl AuditLog for PostgresStore {
    #[tracing::instrument(name = "db.audit.append", level = "debug", skip_all)]
    async fn append(&self, entry: &AuditEntry) -> Result<(), RepositoryError> {
        let entry = entry.clone();
        self.pool
            .call(move |connection, _| audit(connection).append(&entry))
            .await
    }

    #[tracing::instrument(name = "db.audit.entries", level = "debug", skip_all)]
    async fn entries(
        &self,
        before: Option<AuditId>,
        limit: u32,
    ) -> Result<Vec<AuditEntry>, RepositoryError> {
        self.pool
            .call(move |connection, _| audit(connection).entries(before, limit))
            .await
    }
}
