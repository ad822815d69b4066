//! Today: overview of the open work.

mod chart;

use std::sync::Arc;

use askama::Template;
use pressline_backoffice::limits;
use pressline_backoffice::overview::{ProblemKind, ReadyProduct, Today, TodayDraft};
use pressline_backoffice::queue::StoresDraft;
use pressline_domain::fulfilment::ItemStatus;

use crate::shell::access::Access::Call;
use crate::shell::filter::problem::KINDS;
use crate::shell::filter::stores::stores_draft;
use crate::shell::list::{self, count_text};
use crate::shell::paths::batch::BATCHES;
use crate::shell::paths::{PROBLEMS, QUEUE};
use crate::shell::product_names::Names;
use crate::shell::view::{age, day_ends};
use crate::shell::{
    Answer, Fields, Frame, Reply, Result, Route, Section, SignedInRequest, counted, routes,
};
use chart::Chart;

#[derive(Template)]
#[template(path = "today.html")]
struct TodayPage {
    frame: Frame,
    today: Arc<Today>,
    names: Names,
    makes_batches: bool,
    /// Text about the items that are not ready yet, shown if no product is ready; otherwise `None`.
    nothing_ready: Option<String>,
    /// Age of the counts, in seconds; `None` if they are less than a second old.
    age: Option<i64>,
    /// URL and text for each kind of problem that at least one order has.
    problems: Vec<(String, String)>,
    chart: Chart,
    /// Number of counted orders, if only the oldest open orders are counted; otherwise `None`.
    only_oldest: Option<String>,
    includes_test: bool,
    make_batch: String,
    made_up: Option<String>,
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
    let today = overviews
        .today(&services.overview, operator, draft, now)
        .await?;
    // The number in the navigation excludes only test stores.
    if visit.query().without(&[]).is_empty() && today.is_complete {
        let counts = &visit.received.console.problems;
        counts.note_orders(operator, today.problem_orders);
    }
    let includes_test = visit.query().has("test");
    // Test orders are never produced, and are not shown separately here.
    let makes_batches = operator.may("batches/create") && !includes_test;
    let skus = today.products.iter().map(|product| product.sku.as_str());
    let names = Names::for_skus(&visit, skus).await?;
    let nothing_ready = if today.products.is_empty() {
        Some(nothing_ready(&visit, stores).await?)
    } else {
        None
    };
    let age = now.millis_since(today.at) / 1000;
    let oldest = u64::from(limits::OVERVIEW_ORDERS);
    let page = TodayPage {
        names,
        makes_batches,
        nothing_ready,
        age: (age > 0).then_some(age),
        problems: problems(&today, includes_test),
        chart: Chart::new(&today.hours, visit.zone()),
        only_oldest: (!today.is_complete).then(|| count_text(oldest)),
        includes_test,
        make_batch: visit.query().without(&[]).address(BATCHES),
        made_up: made_up(&visit).await?,
        frame: visit.frame(&["Today"])?,
        today,
    };
    Reply::page(&page)
}

/// Returns `None` if no orders are made up, or if the operator has no access to their store.
async fn made_up(visit: &SignedInRequest) -> Result<Option<String>> {
    let services = visit.services();
    let Some(name) = &services.demo_store else {
        return Ok(None);
    };
    let records = services.stores.list().await?;
    let mut stores = records.iter().map(|record| &record.store);
    let is_reached = stores
        .find(|store| store.name == *name)
        .is_some_and(|store| visit.operator().reaches(store.id));
    Ok(is_reached.then(|| name.clone()))
}

impl TodayPage {
    fn path_of(&self, product: &ReadyProduct) -> String {
        let ready = filters("statuses", &["ready"], self.includes_test);
        ready.with("sku", &product.sku).address(QUEUE)
    }

    fn age_of(&self, product: &ReadyProduct) -> String {
        age(product.oldest, self.today.at)
    }
}

fn filters(name: &str, values: &[&str], includes_test: bool) -> Fields {
    let test = includes_test.then_some(("test", "on"));
    Fields::new(values.iter().map(|value| (name, *value)).chain(test))
}

fn problems(today: &Today, includes_test: bool) -> Vec<(String, String)> {
    let texts = [
        (ProblemKind::Change, "with a requested change"),
        (ProblemKind::Answer, "with an answer of the store"),
        (ProblemKind::Unanswered, "waiting for an answer"),
        (ProblemKind::Unpriced, "without a price"),
        (ProblemKind::Late, "with late items"),
        (ProblemKind::Packed, "packed, not shipped"),
    ];
    let problems = texts.into_iter().filter_map(|(kind, what)| {
        let count = *today.problems.get(&kind)?;
        let listed = filters(KINDS, &[kind.as_str()], includes_test).address(PROBLEMS);
        Some((listed, format!("{} {what}", counted(count, "order"))))
    });
    problems.collect()
}

async fn nothing_ready(visit: &SignedInRequest, stores: StoresDraft) -> Result<String> {
    let queue = &visit.services().queue;
    let counted = queue.open_counts(visit.operator(), &stores, list::EXACT_TO);
    let counts = counted.await?;
    let count = |status| count_text(counts.get(&status).copied().unwrap_or_default());
    Ok(format!(
        "Nothing is ready. Items: {} cooling off, {} waiting for files.",
        count(ItemStatus::CoolingOff),
        count(ItemStatus::PendingDesign)
    ))
}

pub(crate) const ROUTES: &[Route] = &Section::Today.routes(routes! {
    page: "/console", "Today", Call("queue/counts") => show;
});
