//! Today: overview of the open work.

mod chart;

use askama::Template;
use pressline_backoffice::overview::{ProblemKind, Problems, ReadyProduct, TodayDraft};
use pressline_backoffice::queue::{CountsDraft, StoresDraft};
use pressline_domain::check::limits;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::value::time::Timestamp;
use pressline_http::request_error::RequestError;

use crate::shell::access::Access;
use crate::shell::filter::problem::KINDS;
use crate::shell::filter::stores::stores_draft;
use crate::shell::form::Fields;
use crate::shell::frame::Frame;
use crate::shell::list::{self, count_text, counted};
use crate::shell::paths::batch::BATCHES;
use crate::shell::paths::{PROBLEMS, QUEUE};
use crate::shell::product_names::Names;
use crate::shell::reply::Reply;
use crate::shell::request::SignedInRequest;
use crate::shell::route::{Answer, Route, signed};
use crate::shell::section::Section;
use crate::shell::view::{age, day_ends};
use chart::Chart;

#[derive(Template)]
#[template(path = "today.html")]
struct TodayPage {
    frame: Frame,
    due: String,
    late: String,
    products: Vec<Product>,
    /// Message that no product is ready; `None` if a product is ready.
    nothing_ready: Option<String>,
    /// Age of the counts, in seconds; `None` if they are new.
    age: Option<i64>,
    /// Step names with the number of waiting units.
    steps: Vec<(String, String)>,
    /// URL and text of each count that is not 0.
    problems: Vec<(String, String)>,
    chart: Chart,
    /// Number of counted orders; `None` if all orders were counted.
    only_oldest: Option<String>,
    includes_test: bool,
    make_batch: String,
    made_up: Option<String>,
}

struct Product {
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

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
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
    // The number in the navigation excludes only test stores.
    if visit.query().without(&[]).is_empty() && today.is_complete {
        let counts = &visit.received.console.problems;
        counts.note_orders(operator, today.problems.orders);
    }
    let includes_test = visit.query().has("test");
    // Test orders are never produced, and are not shown separately here.
    let makes_batches = operator.may("batches/create") && !includes_test;
    let products = today.products.iter();
    let names =
        Names::for_skus(&visit, products.clone().map(|product| product.sku.as_str())).await?;
    let products = products.map(|product| Product {
        can_be_batched: makes_batches && product.unbatched_items > 0,
        name: names.get(&product.sku, product.name.as_ref()),
        ..Product::new(product, includes_test, today.at)
    });
    let nothing_ready = if today.products.is_empty() {
        Some(nothing_ready(&visit, stores).await?)
    } else {
        None
    };
    let steps = today.steps.iter();
    let steps = steps.map(|step| (step.step.to_string(), count_text(step.units)));
    let age = now.millis_since(today.at) / 1000;
    let oldest = u64::from(limits::OVERVIEW_ORDERS);
    let page = TodayPage {
        due: count_text(today.due_units),
        late: count_text(today.late_units),
        products: products.collect(),
        nothing_ready,
        age: (age > 0).then_some(age),
        steps: steps.collect(),
        problems: problems(&today.problems, includes_test),
        chart: Chart::new(&today.hours, visit.zone()),
        only_oldest: (!today.is_complete).then(|| count_text(oldest)),
        includes_test,
        make_batch: visit.query().without(&[]).address(BATCHES),
        made_up: made_up(&visit).await?,
        frame: visit.frame(&["Today"])?,
    };
    Reply::page(&page)
}

/// Returns the name of the demo's store; `None` if the operator has no access to it.
async fn made_up(visit: &SignedInRequest) -> Result<Option<String>, RequestError> {
    let services = visit.services();
    let Some(name) = &services.demo_store else {
        return Ok(None);
    };
    let records = services.stores.list().await?;
    let mut stores = records.iter().map(|record| &record.store);
    let found = stores.find(|store| store.name == *name);
    let is_reached = found.is_some_and(|store| visit.operator().reaches(store.id));
    Ok(is_reached.then(|| name.clone()))
}

impl Product {
    fn new(product: &ReadyProduct, includes_test: bool, now: Timestamp) -> Self {
        let ready = filters("statuses", &["ready"], includes_test);
        Self {
            path: ready.with("sku", &product.sku).address(QUEUE),
            name: String::new(),
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

/// Returns list filters with `values` of the field `name`.
fn filters(name: &str, values: &[&str], includes_test: bool) -> Fields {
    let test = includes_test.then_some(("test", "on"));
    Fields::new(values.iter().map(|value| (name, *value)).chain(test))
}

fn problems(problems: &Problems, includes_test: bool) -> Vec<(String, String)> {
    use ProblemKind::{Answer, Change, Late, Packed, Unanswered, Unpriced};
    let counts = [
        (problems.changes, Change, "with a requested change"),
        (problems.answered, Answer, "with an answer of the store"),
        (problems.unanswered, Unanswered, "waiting for an answer"),
        (problems.unpriced, Unpriced, "without a price"),
        (problems.late, Late, "with late items"),
        (problems.packed, Packed, "packed, not shipped"),
    ];
    let present = counts.into_iter().filter(|(count, ..)| *count > 0);
    let problems = present.map(|(count, kind, what)| {
        let listed = filters(KINDS, &[kind.as_str()], includes_test).address(PROBLEMS);
        (listed, format!("{} {what}", counted(count, "order")))
    });
    problems.collect()
}

async fn nothing_ready(
    visit: &SignedInRequest,
    stores: StoresDraft,
) -> Result<String, RequestError> {
    let queue = &visit.services().queue;
    let draft = CountsDraft { stores };
    let counted = queue.open_counts(visit.operator(), &draft, list::EXACT_TO);
    let counts = counted.await?;
    let count = |status| count_text(counts.get(&status).copied().unwrap_or_default());
    Ok(format!(
        "Nothing is ready. Items: {} cooling off, {} waiting for files.",
        count(ItemStatus::CoolingOff),
        count(ItemStatus::PendingDesign)
    ))
}

pub(crate) const ROUTES: &[Route] = &Section::Today.routes([Route::page(
    "/console",
    "Today",
    Access::Call("queue/counts"),
    signed!(show),
)]);
