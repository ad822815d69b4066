//! `pressline audit`: prints the actions of operators and of the command line.

use pressline_backoffice::audit::{AuditActor, AuditEntry};
use serde::Serialize;

use crate::arguments::AuditArgs;
use crate::error::Result;
use crate::output::Output;
use crate::services::ConfiguredProgram;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EntryDocument {
    entry_id: String,
    at: String,
    operator: Option<OperatorDocument>,
    request_id: Option<String>,
    action: &'static str,
    subject: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OperatorDocument {
    operator_id: String,
    name: String,
}

impl From<AuditEntry> for EntryDocument {
    fn from(entry: AuditEntry) -> Self {
        let operator = match entry.author.actor {
            AuditActor::Operator { id, name } => Some(OperatorDocument {
                operator_id: id.to_string(),
                name,
            }),
            AuditActor::CommandLine => None,
        };
        Self {
            entry_id: entry.id.to_string(),
            at: entry.at.to_string(),
            operator,
            request_id: entry.author.request_id,
            action: entry.action.as_str(),
            subject: entry.subject,
        }
    }
}

impl EntryDocument {
    fn text(&self) -> String {
        let operator = self.operator.as_ref();
        let who = operator.map_or("command line", |operator| operator.name.as_str());
        format!("{}  {who}  {}  {}", self.at, self.action, self.subject)
    }
}

pub(super) async fn run(
    program: &dyn ConfiguredProgram,
    arguments: &AuditArgs,
    output: &Output,
) -> Result {
    let audit = program.open().await?.audit;
    let entries = audit.entries(arguments.before, arguments.limit).await?;
    let documents: Vec<EntryDocument> = entries.into_iter().map(EntryDocument::from).collect();
    output.print(&documents, || match documents.as_slice() {
        [] => "No entries.".to_owned(),
        documents => documents
            .iter()
            .map(EntryDocument::text)
            .collect::<Vec<_>>()
            .join("\n"),
    })
}
