//! Page of the system.

use askama::Template;

use super::audit::{EntryRow, entries, filters, is_filtered};
use crate::shell::form::FormField;
use crate::shell::frame::Frame;
use crate::shell::list::{PageLinks, Paging};
use crate::shell::reply::Reply;
use crate::shell::request::SignedInRequest;
use crate::shell::route::Answer;
use crate::shell::status::SystemFact;
use crate::shell::view::Chip;

const PATH: &str = "/console/system";

#[derive(Template)]
#[template(path = "system/page.html")]
struct SystemPage {
    frame: Frame,
    facts: Vec<FactRow>,
    filters: Vec<FormField>,
    is_filtered: bool,
    entries: Vec<EntryRow>,
    links: PageLinks,
}

struct FactRow {
    name: &'static str,
    value: String,
    chip: Option<Chip>,
}

impl From<SystemFact> for FactRow {
    fn from(fact: SystemFact) -> Self {
        Self {
            name: fact.name,
            value: fact.value,
            chip: fact.is_problem.then(|| Chip::attention("look at it")),
        }
    }
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let paging = Paging::from_query(visit.query())?;
    let listed = paging.read(|draft| entries(&visit, draft)).await?;
    let facts = visit.services().status.facts().await;
    let rows = listed.entries.into_iter();
    let page = SystemPage {
        frame: visit.frame(&["System"])?,
        facts: facts.into_iter().map(FactRow::from).collect(),
        filters: filters(visit.query()).into(),
        is_filtered: is_filtered(visit.query()),
        entries: rows
            .map(|entry| EntryRow::new(entry, visit.zone()))
            .collect(),
        links: paging.links(PATH, visit.query(), listed.next_cursor.as_deref()),
    };
    Reply::page(&page)
}
