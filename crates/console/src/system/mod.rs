//! System: the program, and the audit of what no order's history records.

use askama::Template;
use pressline_domain::audit::{AuditActor, AuditEntry};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::AuditId;
use pressline_domain::operator::ZoneName;
use pressline_domain::page::{Page, PageDraft};
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use crate::frame::Frame;
use crate::list::{self, PageLinks, Paging};
use crate::reply::Reply;
use crate::route::Answer;
use crate::time::When;
use crate::visit::Visit;

/// The path of the page.
const PATH: &str = "/console/system";
/// Maximum number of entries of an export.
const EXPORTED: u32 = 10_000;

/// The page.
#[derive(Template)]
#[template(path = "system.html")]
struct SystemPage {
    frame: Frame,
    version: &'static str,
    entries: Vec<EntryRow>,
    links: PageLinks,
}

/// An entry of the audit, as the page lists it.
struct EntryRow {
    at: When,
    author: String,
    action: &'static str,
    subject: String,
}

impl EntryRow {
    fn of(entry: AuditEntry, zone: &ZoneName) -> Self {
        Self {
            at: When::in_zone(entry.at, zone),
            author: author(&entry),
            action: entry.action.as_str(),
            subject: entry.subject,
        }
    }
}

/// Shows the version of the program and the audit.
pub(crate) async fn show(visit: Visit) -> Answer {
    let paging = Paging::of(visit.query())?;
    let listed = paging.read(|draft| entries(&visit, draft)).await?;
    let zone = &visit.session.signed_in.preferences.time_zone;
    let rows = listed.entries.into_iter();
    let page = SystemPage {
        frame: visit.frame(&["System"])?,
        version: env!("CARGO_PKG_VERSION"),
        entries: rows.map(|entry| EntryRow::of(entry, zone)).collect(),
        links: paging.links(PATH, visit.query(), listed.next_cursor.as_deref()),
    };
    Reply::page(&page)
}

/// Exports the newest entries of the audit.
pub(crate) async fn export(visit: Visit) -> Answer {
    let entries = visit.services().audit.entries(None, EXPORTED).await?;
    let rows = entries.into_iter().map(|entry| {
        let request = entry.author.request_id.clone().unwrap_or_default();
        let (at, action) = (entry.at.to_string(), entry.action.as_str().to_owned());
        vec![at, author(&entry), action, entry.subject, request]
    });
    let header = ["at", "author", "action", "subject", "requestId"];
    list::csv("audit.csv", &header, rows)
}

/// Returns a page of the audit.
async fn entries(visit: &Visit, draft: PageDraft) -> Result<Page<AuditEntry>, RequestError> {
    let cursor = draft.cursor.text().map(str::parse::<AuditId>);
    let before = cursor.transpose().map_err(|_| {
        let message = "cursor: not one of this list; open the list again";
        RequestError::new(Code::ValidationFailed, message)
    })?;
    let size = draft.size.value().copied().unwrap_or_default();
    let size = u32::try_from(size).unwrap_or_default();
    let read: Result<_, RepositoryError> = visit.services().audit.entries(before, size + 1).await;
    let mut entries = read?;
    let has_more = u32::try_from(entries.len()).is_ok_and(|read| read > size);
    if has_more {
        entries.pop();
    }
    let last = entries.last().map(|last| last.id.to_string());
    Ok(Page {
        number: None,
        size,
        has_previous: before.is_some(),
        next_cursor: last.filter(|_| has_more),
        entries,
    })
}

fn author(entry: &AuditEntry) -> String {
    match &entry.author.actor {
        AuditActor::Operator { name, .. } => name.clone(),
        AuditActor::CommandLine => "command line".to_owned(),
    }
}
