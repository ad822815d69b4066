//! The items that wait, by product.

use pressline_domain::overview::WaitingProduct;
use pressline_domain::page::PageDraft;
use pressline_domain::time::Timestamp;
use pressline_http::request_error::RequestError;

use super::QUEUE;
use super::filter::{GROUP, NOT_FILTERS, draft};
use crate::form::Fields;
use crate::list::count_text;
use crate::view::age;
use crate::visit::Visit;

pub(super) struct GroupRow {
    pub(super) sku: String,
    pub(super) product: String,
    pub(super) items: String,
    pub(super) units: String,
    /// Age of the oldest item.
    pub(super) oldest: String,
    pub(super) path: String,
}

impl GroupRow {
    fn of(product: WaitingProduct, filters: &Fields, now: Timestamp) -> Self {
        Self {
            path: filters.clone().with("sku", &product.sku).address(QUEUE),
            product: product.name.unwrap_or_default(),
            items: count_text(product.items),
            units: count_text(product.units),
            oldest: age(product.oldest, now),
            sku: product.sku,
        }
    }
}

/// Most units first.
pub(super) async fn grouped(visit: &Visit) -> Result<Vec<GroupRow>, RequestError> {
    let (services, query) = (visit.services(), visit.query());
    let draft = draft(query, visit.zone(), PageDraft::default());
    let overview = &services.overview;
    let products = overview.waiting_products(visit.operator(), &draft).await?;
    let filters = query.without(&NOT_FILTERS).without(&["sku", GROUP]);
    let now = services.clock.now();
    let rows = products.into_iter();
    Ok(rows
        .map(|product| GroupRow::of(product, &filters, now))
        .collect())
}
