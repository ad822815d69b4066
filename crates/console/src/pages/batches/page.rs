//! Page of a batch: its items by step, and excluded items.

use askama::Template;
use pressline_backoffice::production::{
    BatchLine, BatchNameDraft, BatchNumber, BatchView, ProducedItem, ProductionError, Steps,
};
use pressline_domain::fulfilment::ItemStatus;

use super::list::StampLine;
use crate::pages::order::item::detail;
use crate::shell::paths::batch::path;
use crate::shell::{Answer, Chip, ErrorList, FormErrors, Frame, Reply, Result, SignedInRequest};

#[derive(Template)]
#[template(path = "batches/page.html")]
struct BatchPage {
    frame: Frame,
    view: BatchView,
    path: String,
    made: StampLine,
    started: Option<StampLine>,
    closed: Option<StampLine>,
    may_start: bool,
    may_close: bool,
    units: u32,
    unfinished: usize,
    steps: Vec<StepRow>,
    errors: Option<FormErrors>,
}

struct StepRow {
    name: String,
    done: u32,
    waiting: u32,
}

impl BatchPage {
    fn excluded(&self) -> Vec<&BatchLine> {
        let lines = self.view.lines.iter();
        lines.filter(|line| line.taken_out().is_some()).collect()
    }
}

pub(super) fn named(visit: &SignedInRequest) -> Result<BatchNameDraft, ProductionError> {
    let parsed: Result<BatchNumber, _> = visit.parameter("batch").parse();
    let number = parsed.map_err(|_| ProductionError::BatchNotFound)?;
    Ok(BatchNameDraft {
        batch: number.to_string().into(),
    })
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    Reply::page(&page(&visit, None).await?)
}

pub(super) async fn refused(visit: &SignedInRequest, error: ProductionError) -> Answer {
    let page = page(visit, Some(FormErrors::from_error(error)?)).await?;
    Reply::form(&page, page.errors.as_ref())
}

async fn page(visit: &SignedInRequest, errors: Option<FormErrors>) -> Result<BatchPage> {
    let (production, batch) = (&visit.services().production, named(visit)?);
    let view = production.get_batch(visit.operator(), &batch).await?;
    let header = &view.header;
    let number = header.number.to_string();
    let noted = |stamp| StampLine::new(stamp, &view.names, visit);
    let produced: Vec<&ProducedItem> = view.produced().collect();
    let is_ready = |item: &&ProducedItem| item.state.status == ItemStatus::Ready;
    let may = |call| header.is_open() && visit.operator().may(call);
    let unfinished = produced
        .iter()
        .filter(|item| !item.production.units.is_complete());
    Ok(BatchPage {
        frame: visit.frame(&[&number, "Batches"])?,
        path: path(&number),
        made: noted(header.created),
        started: header.started.map(noted),
        closed: header.closed.map(noted),
        // A second start is for items that were put back.
        may_start: may("batches/start")
            && (header.started.is_none() || produced.iter().any(is_ready)),
        may_close: may("batches/close"),
        units: produced.iter().map(|item| item.line.quantity).sum(),
        unfinished: unfinished.count(),
        steps: steps(&production.steps, &produced),
        errors,
        view,
    })
}

fn steps(steps: &Steps, items: &[&ProducedItem]) -> Vec<StepRow> {
    let names = steps.names().iter().enumerate();
    let rows = names.map(|(position, name)| {
        let units = items.iter().map(|item| &item.production.units);
        StepRow {
            name: name.to_string(),
            done: units.clone().map(|units| units.done_at(position)).sum(),
            waiting: units.map(|units| units.waiting_at(position)).sum(),
        }
    });
    rows.collect()
}
