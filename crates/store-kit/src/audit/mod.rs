//! Rows and statements of the audit log.

use async_trait::async_trait;
use pressline_backoffice::audit::{AuditAction, AuditActor, AuditContext, AuditEntry, AuditLog};
use pressline_domain::error::Result;
use pressline_domain::value::{AuditId, Timestamp};

use crate::cold_store::ColdStore;
use crate::corrupt::StoredRow;
use crate::sql::Row;

#[derive(Clone, PartialEq, Row)]
pub(crate) struct AuditRow {
    pub(crate) entry_id: String,
    pub(crate) at: i64,
    pub(crate) operator_id: Option<String>,
    pub(crate) operator_name: Option<String>,
    pub(crate) request_id: Option<String>,
    pub(crate) action: String,
    pub(crate) subject: String,
}

impl AuditRow {
    fn new(entry: &AuditEntry) -> Self {
        let (operator_id, operator_name) = match &entry.author.actor {
            AuditActor::Operator { id, name } => (Some(id.to_string()), Some(name.clone())),
            AuditActor::CommandLine => (None, None),
        };
        Self {
            entry_id: entry.id.to_string(),
            at: entry.at.as_millis(),
            operator_id,
            operator_name,
            request_id: entry.author.request_id.clone(),
            action: entry.action.as_str().to_owned(),
            subject: entry.subject.clone(),
        }
    }

    fn restore(self) -> Result<AuditEntry> {
        let stored = StoredRow("audit_entries", &[&self.entry_id]);
        let operator_id = self.operator_id.as_deref();
        let id = stored.read_option("operator_id", operator_id, str::parse)?;
        let actor = match (id, self.operator_name) {
            (Some(id), Some(name)) => AuditActor::Operator { id, name },
            (None, None) => AuditActor::CommandLine,
            _ => return Err(stored.corrupt("operator_name", "only with operator_id")),
        };
        let action = AuditAction::from_name(&self.action).ok_or("not an action");
        Ok(AuditEntry {
            id: stored.read("entry_id", self.entry_id.parse())?,
            at: Timestamp::from_millis(self.at),
            author: AuditContext {
                actor,
                request_id: self.request_id,
            },
            action: stored.read("action", action)?,
            subject: self.subject,
        })
    }
}

#[async_trait]
impl AuditLog for ColdStore {
    #[tracing::instrument(name = "db.audit.append", level = "debug", skip_all)]
    async fn append(&self, entry: &AuditEntry) -> Result<()> {
        // An earlier attempt of this call may have added the entry.
        let text = "INSERT INTO audit_entries (
                 entry_id, at, operator_id, operator_name, request_id, action, subject
             )
             VALUES (:entry_id, :at, :operator_id, :operator_name, :request_id, :action, :subject)
             ON CONFLICT DO NOTHING";
        self.execute(text, AuditRow::new(entry).parameters())
            .await?;
        Ok(())
    }

    #[tracing::instrument(name = "db.audit.entries", level = "debug", skip_all)]
    async fn entries(&self, before: Option<AuditId>, limit: u32) -> Result<Vec<AuditEntry>> {
        // Greater than every id: ids contain only hexadecimal digits and hyphens.
        let before = before.map_or_else(|| "g".to_owned(), |id| id.to_string());
        let rows = self.load::<AuditRow>(
            "SELECT entry_id, at, operator_id, operator_name, request_id, action, subject
             FROM audit_entries
             WHERE entry_id < :before
             ORDER BY entry_id DESC
             LIMIT :limit",
            vec![("before", before.into()), ("limit", limit.into())],
        );
        rows.await?.into_iter().map(AuditRow::restore).collect()
    }
}
