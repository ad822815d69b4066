//! Filters of the queue, named as in the operator API.

use pressline_backoffice::operator::ZoneName;
use pressline_backoffice::production::QueuedItem;
use pressline_backoffice::queue::{QueueDraft, QueueItem};
use pressline_domain::check::limits;
use pressline_domain::value::page::{Page, PageDraft};

use super::stores::{StoreNames, store_question, stores_draft};
use crate::shell::form::{Fields, FormField};
use crate::shell::list::first_of;
use crate::shell::request::SignedInRequest;
use crate::shell::result::Result;
use crate::shell::view::day_start;

pub(crate) const GROUP: &str = "group";
pub(crate) const NOT_FILTERS: [&str; 5] = ["cursor", "before", "deep", "size", GROUP];

pub(crate) fn draft(query: &Fields, zone: &ZoneName, paging: PageDraft) -> QueueDraft {
    QueueDraft {
        statuses: query.texts("statuses"),
        stores: stores_draft(query),
        sku: query.text("sku"),
        area: query.text("area"),
        ship_class: query.text("shipClass"),
        types: query.texts("types"),
        countries: query.texts("countries"),
        placed_before: day_start(query.get("placedBefore"), zone),
        search_key: query.text("searchKey"),
        paging,
    }
}

async fn items(visit: &SignedInRequest, paging: PageDraft) -> Result<Page<QueueItem>> {
    let draft = draft(visit.query(), visit.zone(), paging);
    let queue = &visit.services().queue;
    Ok(queue.search(visit.operator(), &draft).await?)
}

pub(crate) async fn queued(visit: &SignedInRequest, paging: PageDraft) -> Result<Page<QueuedItem>> {
    let draft = draft(visit.query(), visit.zone(), paging);
    with_production(visit, &draft).await
}

pub(crate) async fn with_production(
    visit: &SignedInRequest,
    draft: &QueueDraft,
) -> Result<Page<QueuedItem>> {
    let services = visit.services();
    let page = services.queue.search(visit.operator(), draft).await?;
    Ok(services.production.of_queue(page).await?)
}

/// Returns the oldest items first. The flag is `true` if more than `limit` items match.
pub(crate) async fn first_items(
    visit: &SignedInRequest,
    limit: usize,
) -> Result<(Vec<QueueItem>, bool)> {
    first_of(limit, limits::PAGE_SIZE, |paging| items(visit, paging)).await
}

pub(crate) fn questions(query: &Fields, stores: &StoreNames) -> Vec<FormField> {
    let line = |name, label| FormField::line(name, label, query.get(name));
    vec![
        FormField::search("searchKey", "Search for", query.get("searchKey")),
        line("sku", "SKU"),
        line("area", "Print area"),
        line("shipClass", "Ship class"),
        line("countries", "Country code"),
        FormField::day("placedBefore", "Placed before", query.get("placedBefore")),
        store_question(query, stores),
    ]
}
