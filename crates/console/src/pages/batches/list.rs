//! The list of batches.

use askama::Template;
use pressline_backoffice::operator::OperatorNames;
use pressline_backoffice::production::{BatchHeader, BatchesDraft, Stamp};
use pressline_domain::check::{Field, WrongType, limits};
use pressline_domain::value::page::{Page, PageDraft};

use crate::shell::list;
use crate::shell::paths::batch::BATCHES;
use crate::shell::{
    Answer, Chip, ErrorList, Fields, FormErrors, FormField, Frame, PageLinks, Paging, Reply,
    Result, SignedInRequest, When,
};

const OPEN: &str = "open";

#[derive(Template)]
#[template(path = "batches/list.html")]
struct BatchesPage {
    frame: Frame,
    open: FormField,
    is_filtered: bool,
    rows: Vec<BatchRow>,
    links: Option<PageLinks>,
    errors: Option<FormErrors>,
}

struct BatchRow {
    batch: BatchHeader,
    made: StampLine,
    started: Option<StampLine>,
    closed: Option<StampLine>,
}

pub(super) struct StampLine {
    pub(super) at: When,
    pub(super) who: String,
}

impl StampLine {
    pub(super) fn new(stamp: Stamp, names: &OperatorNames, visit: &SignedInRequest) -> Self {
        Self {
            at: When::in_zone(stamp.at, visit.zone()),
            who: names.get(&stamp.by).cloned().unwrap_or_default(),
        }
    }
}

impl BatchRow {
    fn new(batch: BatchHeader, names: &OperatorNames, visit: &SignedInRequest) -> Self {
        let noted = |stamp: Stamp| StampLine::new(stamp, names, visit);
        Self {
            made: noted(batch.created),
            started: batch.started.map(noted),
            closed: batch.closed.map(noted),
            batch,
        }
    }
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let query = visit.query();
    let paging = Paging::from_query(query)?;
    let read = |draft| rows(&visit, draft);
    let listed = paging
        .listed((BATCHES, query), limits::PAGE_SIZE, read)
        .await?;
    let options = [("", "All"), ("true", "Open"), ("false", "Closed")];
    let open = FormField::choice(OPEN, "Batches", query.get(OPEN), options);
    let page = BatchesPage {
        frame: visit.frame(&["Batches"])?,
        open: open.errors(listed.errors.as_ref()),
        is_filtered: !query.get(OPEN).is_empty(),
        rows: listed.entries,
        links: listed.links,
        errors: listed.errors,
    };
    Reply::form(&page, page.errors.as_ref())
}

async fn rows(visit: &SignedInRequest, paging: PageDraft) -> Result<Page<BatchRow>> {
    let draft = BatchesDraft {
        open: open(visit.query()),
        paging,
    };
    let production = &visit.services().production;
    let batch_page = production.search_batches(visit.operator(), &draft).await?;
    let batches = batch_page.page.entries.into_iter();
    let rows = batches.map(|batch| BatchRow::new(batch, &batch_page.names, visit));
    Ok(list::page(rows.collect(), batch_page.page.next_cursor))
}

fn open(query: &Fields) -> Field<bool> {
    match query.get(OPEN) {
        "" => Field::Absent,
        "true" => Field::Value(true),
        "false" => Field::Value(false),
        _ => Field::Wrong(WrongType {
            expected: "true or false",
            found: "another text",
        }),
    }
}
