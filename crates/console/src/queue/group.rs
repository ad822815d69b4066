//! The items that wait, by product.

use std::collections::BTreeMap;

use pressline_domain::time::Timestamp;
use pressline_http::request_error::RequestError;

use super::QUEUE;
use super::filter::{GROUP, NOT_FILTERS, first_items};
use crate::view::age;
use crate::visit::Visit;

/// Maximum number of items that are looked at, oldest first.
const LOOKED_AT: usize = 2000;

/// The items of a product.
pub(super) struct GroupRow {
    pub(super) sku: String,
    pub(super) product: String,
    pub(super) items: usize,
    pub(super) units: u64,
    /// The age of the oldest one.
    pub(super) oldest: String,
    /// The address of these items.
    pub(super) path: String,
}

/// What is known of a product.
struct Group {
    product: String,
    items: usize,
    units: u64,
    oldest: Timestamp,
}

/// Returns the products of the oldest items, the one with the most units first.
///
/// # Errors
/// As the use case fails.
pub(super) async fn grouped(visit: &Visit) -> Result<Vec<GroupRow>, RequestError> {
    let (found, _) = first_items(visit, LOOKED_AT).await?;
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for item in &found {
        let Some((line, _)) = item.item() else {
            continue;
        };
        let placed = item.order.content.created_at();
        let group = groups.entry(line.sku.clone()).or_insert_with(|| Group {
            product: line.name.clone().unwrap_or_default(),
            items: 0,
            units: 0,
            oldest: placed,
        });
        group.items += 1;
        group.units += u64::from(line.quantity);
        group.oldest = group.oldest.min(placed);
    }
    let now = visit.services().clock.now();
    let filters = visit.query().without(&NOT_FILTERS).without(&["sku", GROUP]);
    let rows = groups.into_iter().map(|(sku, group)| GroupRow {
        path: filters.clone().with("sku", &sku).address(QUEUE),
        product: group.product,
        items: group.items,
        units: group.units,
        oldest: age(group.oldest, now),
        sku,
    });
    let mut rows: Vec<GroupRow> = rows.collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.units));
    Ok(rows)
}
