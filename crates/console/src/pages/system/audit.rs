//! Audit log: its list, its export, and its entries about a subject.

use pressline_backoffice::audit::{AuditAction, AuditActor, AuditEntry};
use pressline_domain::value::AuditId;
use pressline_domain::value::page::{Page, PageDraft};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use crate::shell::form::PAGE_FIELDS;
use crate::shell::list::{self, size_of};
use crate::shell::{Answer, Fields, FormField, Result, SignedInRequest, When};

const EXPORTED: u32 = 10_000;
/// Number of audit entries per read of the log if the list is filtered.
const READ: u32 = 200;
/// Maximum number of audit entries to examine for a page of the list.
// Filters apply after reading, so a rare match must not read the whole log.
const LOOKED_AT: u32 = 2000;

/// Returns up to [`EXPORTED`] audit entries as CSV, newest first.
pub(crate) async fn export(visit: SignedInRequest) -> Answer {
    let entries = visit.services().audit.entries(None, EXPORTED).await?;
    let rows = entries.into_iter().map(|entry| {
        let request = entry.author.request_id.clone().unwrap_or_default();
        let (at, action) = (entry.at.to_string(), entry.action.as_str().to_owned());
        vec![
            at,
            author(&entry).to_owned(),
            action,
            entry.subject,
            request,
        ]
    });
    list::csv("audit.csv", "at,author,action,subject,requestId", rows)
}

pub(super) fn filters(query: &Fields) -> [FormField; 3] {
    let all = [("", "All")];
    let known = AuditAction::ALL.map(|action| (action.as_str(), action.as_str()));
    let actions = all.into_iter().chain(known);
    [
        FormField::choice("action", "What", query.get("action"), actions),
        FormField::search("author", "Who", query.get("author")),
        FormField::search("subject", "To what", query.get("subject")),
    ]
}

pub(super) fn is_filtered(query: &Fields) -> bool {
    !query.without(&PAGE_FIELDS).is_empty()
}

/// Can return fewer entries than `draft` requests although more entries follow.
pub(super) async fn entries(visit: &SignedInRequest, draft: PageDraft) -> Result<Page<AuditEntry>> {
    let cursor = draft.cursor.text().map(str::parse::<AuditId>);
    let begins_after = cursor.transpose().map_err(|_| {
        let message = "cursor: not one of this list; open the list again";
        RequestError::new(Code::ValidationFailed, message)
    })?;
    let (query, size) = (visit.query(), size_of(&draft));
    let wanted = usize::try_from(size).unwrap_or(usize::MAX);
    // Without filters, one entry more tells whether another page follows.
    let portion = if is_filtered(query) { READ } else { size + 1 };
    let (mut entries, mut before, mut looked_at) = (Vec::new(), begins_after, 0);
    let mut has_more = true;
    while has_more && entries.len() < wanted && looked_at < LOOKED_AT {
        let read = visit.services().audit.entries(before, portion).await?;
        looked_at += portion;
        has_more = u32::try_from(read.len()).is_ok_and(|read| read == portion);
        for entry in read {
            if entries.len() == wanted {
                has_more = true;
                break;
            }
            // Also set for entries that do not match, so that the next page does not repeat them.
            before = Some(entry.id);
            if fits(&entry, query) {
                entries.push(entry);
            }
        }
    }
    Ok(Page {
        number: None,
        size,
        has_previous: begins_after.is_some(),
        next_cursor: before.filter(|_| has_more).map(|id| id.to_string()),
        entries,
    })
}

fn fits(entry: &AuditEntry, query: &Fields) -> bool {
    let contains = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
    let action = query.get("action");
    (action.is_empty() || action == entry.action.as_str())
        && contains(author(entry), query.get("author").trim())
        && contains(&entry.subject, query.get("subject").trim())
}

/// Searches only the latest [`READ`] audit entries. Returns the latest entry first.
pub(crate) async fn changes_of(
    visit: &SignedInRequest,
    subject: &str,
    limit: usize,
) -> Result<Vec<String>> {
    // The changes since a form was rendered are among the newest entries.
    let entries = visit.services().audit.entries(None, READ).await?;
    let about = entries
        .iter()
        .filter(|entry| entry.subject.contains(subject));
    let shown = about.map(|entry| {
        let at = When::in_zone(entry.at, visit.zone());
        format!(
            "{}, {}: {} {}",
            at.text(),
            author(entry),
            entry.action.as_str(),
            entry.subject
        )
    });
    Ok(shown.take(limit).collect())
}

pub(super) fn author(entry: &AuditEntry) -> &str {
    match &entry.author.actor {
        AuditActor::Operator { name, .. } => name,
        AuditActor::CommandLine => "command line",
    }
}
