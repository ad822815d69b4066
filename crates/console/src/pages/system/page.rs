//! Page of the system: facts about the program and its database, and the audit log.

use askama::Template;
use pressline_backoffice::audit::AuditEntry;

use super::audit::{author, entries, filters, is_filtered};
use super::facts::{Fact, facts};
use crate::shell::{Answer, Chip, FormField, Frame, PageLinks, Paging, Reply, SignedInRequest};

const PATH: &str = "/console/system";

#[derive(Template)]
#[template(path = "system/page.html")]
struct SystemPage {
    frame: Frame,
    facts: Vec<Fact>,
    filters: Vec<FormField>,
    is_filtered: bool,
    entries: Vec<AuditEntry>,
    links: PageLinks,
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let paging = Paging::from_query(visit.query())?;
    let listed = paging.read(|draft| entries(&visit, draft)).await?;
    let state = visit.services().status.state().await;
    let page = SystemPage {
        frame: visit.frame(&["System"])?,
        facts: facts(&state),
        filters: filters(visit.query()).into(),
        is_filtered: is_filtered(visit.query()),
        links: paging.links(PATH, visit.query(), listed.next_cursor.as_deref()),
        entries: listed.entries,
    };
    Reply::page(&page)
}
