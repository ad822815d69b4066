//! The audit: its rows, and the statements about them.

use std::marker::PhantomData;

use diesel::connection::LoadConnection;
use diesel::prelude::*;
use diesel::query_builder::QueryFragment;
use diesel::query_dsl::methods::LoadQuery;
use pressline_domain::audit::{AuditAction, AuditActor, AuditEntry, Author};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::AuditId;
use pressline_domain::time::Timestamp;

use crate::cold::{Cold, Value, execute, load};
use crate::corrupt::StoredRow;
use crate::schema::audit_entries;

audit_columns!(define_row!
    /// An entry of the audit.
    #[derive(Debug, QueryableByName)]
    #[diesel(table_name = audit_entries, primary_key(entry_id))]
    AuditRow
);

impl AuditRow {
    fn of(entry: &AuditEntry) -> Self {
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

    fn restore(self) -> Result<AuditEntry, RepositoryError> {
        let stored = StoredRow("audit_entries", &[&self.entry_id]);
        let id = self.operator_id.as_deref();
        let id = stored.read_option("operator_id", id, str::parse)?;
        let actor = match (id, self.operator_name) {
            (Some(id), Some(name)) => AuditActor::Operator { id, name },
            (None, None) => AuditActor::CommandLine,
            _ => return Err(stored.corrupt("operator_name", "only with operator_id")),
        };
        let action = AuditAction::from_name(&self.action).ok_or("not an action");
        Ok(AuditEntry {
            id: stored.read("entry_id", self.entry_id.parse())?,
            at: Timestamp::from_millis(self.at),
            author: Author {
                actor,
                request_id: self.request_id,
            },
            action: stored.read("action", action)?,
            subject: self.subject,
        })
    }
}

/// The entries of the audit that a connection reads and writes. `F` is the error that ends the
/// transaction.
#[derive(Debug)]
pub struct AuditEntries<'c, C, F> {
    connection: &'c mut C,
    failure: PhantomData<F>,
}

impl<'c, C, F> AuditEntries<'c, C, F> {
    /// Returns those of a connection.
    pub fn new(connection: &'c mut C) -> Self {
        Self {
            connection,
            failure: PhantomData,
        }
    }
}

impl<C, F> AuditEntries<'_, C, F>
where
    C: LoadConnection,
    F: From<diesel::result::Error> + From<RepositoryError>,
    Cold<()>: QueryFragment<C::Backend>,
    for<'q> Cold<audit_entries::SqlType>: LoadQuery<'q, C, AuditRow>,
{
    /// Adds an entry. One that an earlier try has stored is there once.
    ///
    /// # Errors
    /// As the database fails.
    pub fn append(&mut self, entry: &AuditEntry) -> Result<(), F> {
        let row = AuditRow::of(entry);
        execute(
            self.connection,
            "INSERT INTO audit_entries ({audit_entries})
             VALUES (:entry_id, :at, :operator_id, :operator_name, :request_id, :action, :subject)
             ON CONFLICT DO NOTHING",
            &[
                ("entry_id", Value::text(&row.entry_id)),
                ("at", Value::BigInt(row.at)),
                ("operator_id", Value::OptionalText(row.operator_id)),
                ("operator_name", Value::OptionalText(row.operator_name)),
                ("request_id", Value::OptionalText(row.request_id)),
                ("action", Value::text(&row.action)),
                ("subject", Value::text(&row.subject)),
            ],
        )?;
        Ok(())
    }

    /// Returns entries by descending id: the newest ones, or those before an id.
    ///
    /// # Errors
    /// As the database fails, and if a column does not contain what it should.
    pub fn entries(&mut self, before: Option<AuditId>, limit: u32) -> Result<Vec<AuditEntry>, F> {
        // No id is as high.
        let before = before.map_or_else(|| "g".to_owned(), |id| id.to_string());
        let rows = load::<audit_entries::SqlType, AuditRow, _>(
            self.connection,
            "SELECT audit_entries.*
             FROM audit_entries
             WHERE entry_id < :before
             ORDER BY entry_id DESC
             LIMIT :limit",
            &[
                ("before", Value::text(&before)),
                ("limit", Value::BigInt(i64::from(limit))),
            ],
        )?;
        let entries: Result<Vec<AuditEntry>, RepositoryError> =
            rows.into_iter().map(AuditRow::restore).collect();
        Ok(entries?)
    }
}
