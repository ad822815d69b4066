//! Today: what is to be done now.

mod chart;
mod kept;

use askama::Template;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::limits;
use pressline_domain::order::queue::{CountsDraft, StoresDraft};
use pressline_domain::overview::{ProblemKind, Problems, ReadyProduct, StepUnits, TodayDraft};
use pressline_domain::time::Timestamp;
use pressline_http::request_error::RequestError;

use crate::batches::BATCHES;
use crate::form::Fields;
use crate::frame::{Frame, Section};
use crate::list::{self, count_text};
use crate::order::filter::stores_draft;
use crate::problem::{KINDS, PROBLEMS};
use crate::queue::QUEUE;
use crate::reply::Reply;
use crate::route::{Access, Answer, Route, signed};
use crate::view::{age, day_ends};
use crate::visit::Visit;
use chart::Chart;
pub(crate) use kept::KeptOverviews;

#[derive(Template)]
#[template(path = "today.html")]
struct TodayPage {
    frame: Frame,
    due: String,
    late: String,
    products: Vec<Product>,
    /// Why no product is ready.
    nothing_ready: Option<String>,
    /// In seconds, if it was not counted just now.
    age: Option<i64>,
    steps: Vec<Step>,
    problems: Vec<Problem>,
    chart: Chart,
    /// Number of counted orders, if there are more.
    only_oldest: Option<String>,
    includes_test: bool,
    /// Target of the forms that make batches.
    make_batch: String,
    /// Name of the store whose orders are made up, if the operator sees them.
    made_up: Option<String>,
}

struct Product {
    /// Queue of its items.
    path: String,
    name: String,
    sku: String,
    units: String,
    items: String,
    unbatched: String,
    late: String,
    age: String,
    can_be_batched: bool,
}

struct Step {
    name: String,
    units: String,
}

struct Problem {
    path: String,
    text: String,
}

pub(crate) async fn show(visit: Visit) -> Answer {
    let (services, operator) = (visit.services(), visit.operator());
    let stores = stores_draft(visit.query());
    let draft = TodayDraft {
        stores: stores.clone(),
        day_ends: day_ends(services.clock.now(), visit.zone()),
    };
    let now = services.clock.now();
    let overviews = &visit.received.console.overviews;
    let today = overviews.today(&services.overview, operator, draft, now);
    let today = today.await?;
    if is_of_all(visit.query()) && today.is_complete {
        let counts = &visit.received.console.problems;
        counts.note_orders(operator, today.problems.orders);
    }
    let includes_test = visit.query().has("test");
    let products = today.products.iter();
    // Test orders are never made, and these are not shown apart.
    let makes_batches = operator.may("batches/create") && !includes_test;
    let products = products.map(|product| Product {
        can_be_batched: makes_batches && product.unbatched_items > 0,
        ..Product::of(product, includes_test, today.at)
    });
    let nothing_ready = match today.products.is_empty() {
        true => Some(nothing_ready(&visit, stores).await?),
        false => None,
    };
    let age = now.millis_since(today.at) / 1000;
    let oldest = u64::from(limits::OVERVIEW_ORDERS);
    let page = TodayPage {
        due: count_text(today.due_units),
        late: count_text(today.late_units),
        products: products.collect(),
        nothing_ready,
        age: (age > 0).then_some(age),
        steps: today.steps.iter().map(Step::of).collect(),
        problems: problems(&today.problems, includes_test),
        chart: Chart::of(&today.hours, visit.zone()),
        only_oldest: (!today.is_complete).then(|| count_text(oldest)),
        includes_test,
        make_batch: visit.query().without(&[]).address(BATCHES),
        made_up: made_up(&visit).await?,
        frame: visit.frame(&["Today"])?,
    };
    Reply::page(&page)
}

/// Whether the page is about all stores but those for tests.
fn is_of_all(query: &Fields) -> bool {
    query.without(&[]).is_empty()
}

/// `None` if there is no demo, or the operator does not reach its store.
async fn made_up(visit: &Visit) -> Result<Option<String>, RequestError> {
    let services = visit.services();
    let Some(name) = &services.demo_store else {
        return Ok(None);
    };
    let records = services.stores.list().await?;
    let mut stores = records.iter().map(|record| &record.store);
    let found = stores.find(|store| store.name == *name);
    let reached = found.filter(|store| visit.operator().reaches(store.id));
    Ok(reached.map(|store| store.name.clone()))
}

impl Product {
    fn of(product: &ReadyProduct, includes_test: bool, now: Timestamp) -> Self {
        let fields = queue_of(&["ready"], includes_test).with("sku", &product.sku);
        Self {
            path: fields.address(QUEUE),
            name: product.name.clone().unwrap_or_default(),
            sku: product.sku.clone(),
            units: count_text(product.units),
            items: count_text(product.items),
            unbatched: count_text(product.unbatched_items),
            late: count_text(product.late_items),
            age: age(product.oldest, now),
            can_be_batched: false,
        }
    }
}

impl Step {
    fn of(step: &StepUnits) -> Self {
        Self {
            name: step.step.to_string(),
            units: count_text(step.units),
        }
    }
}

fn queue_of(statuses: &[&str], includes_test: bool) -> Fields {
    let statuses = statuses.iter().map(|status| ("statuses", *status));
    with_test(Fields::of(statuses), includes_test)
}

fn with_test(fields: Fields, includes_test: bool) -> Fields {
    if includes_test {
        fields.with("test", "on")
    } else {
        fields
    }
}

fn problems(problems: &Problems, includes_test: bool) -> Vec<Problem> {
    let of_kind = |kind: ProblemKind| {
        let fields = Fields::of([(KINDS, kind.as_str())]);
        with_test(fields, includes_test).address(PROBLEMS)
    };
    let unanswered = queue_of(&["request-change", "need-action"], includes_test);
    let kinds = [
        (
            problems.changes,
            "with a requested change",
            of_kind(ProblemKind::Change),
        ),
        (
            problems.answered,
            "with an answer of the store",
            of_kind(ProblemKind::Answer),
        ),
        (
            problems.unanswered,
            "that wait for an answer",
            unanswered.address(QUEUE),
        ),
        (
            problems.unpriced,
            "without a price",
            of_kind(ProblemKind::Unpriced),
        ),
    ];
    let of_orders = kinds.map(|(count, what, path)| (count, "order", what, path));
    let of_items = [(problems.late, "item", "late", of_kind(ProblemKind::Late))];
    let all = of_orders.into_iter().chain(of_items);
    let present = all.filter(|(count, ..)| *count > 0);
    let problems = present.map(|(count, one, what, path)| {
        let plural = if count == 1 { "" } else { "s" };
        Problem {
            path,
            text: format!("{} {one}{plural} {what}", count_text(count)),
        }
    });
    problems.collect()
}

/// What becomes ready later.
async fn nothing_ready(visit: &Visit, stores: StoresDraft) -> Result<String, RequestError> {
    let queue = &visit.services().queue;
    let draft = CountsDraft { stores };
    let counted = queue.open_counts(visit.operator(), &draft, list::EXACT_TO);
    let counts = counted.await?;
    let waiting = [ItemStatus::CoolingOff, ItemStatus::PendingDesign];
    let waiting = waiting.map(|status| {
        let count = counts.get(&status).copied().unwrap_or_default();
        let word = match status {
            ItemStatus::CoolingOff => "cooling off",
            _ => "waiting for files",
        };
        format!("{} {word}", count_text(count))
    });
    Ok(format!("Nothing is ready. Items: {}.", waiting.join(", ")))
}

pub(crate) const ROUTES: &[Route] = &Section::Today.routes([Route::page(
    "/console",
    "Today",
    Access::Call("queue/counts"),
    signed!(show),
)]);
