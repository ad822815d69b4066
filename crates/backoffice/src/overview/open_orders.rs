//! Query for open orders.

use std::collections::BTreeSet;

use crate::queue::{CrossStoreQuery, Direction, StoreFilter};
use pressline_domain::check::limits;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::value::id::OrderId;

/// Statuses of items that are in production or wait for a decision.
pub(super) const OPEN: [ItemStatus; 5] = [
    ItemStatus::Ready,
    ItemStatus::InProduction,
    ItemStatus::RequestChange,
    ItemStatus::NeedAction,
    ItemStatus::OnHold,
];

/// Returns the query for the oldest open orders of `stores`. Its `count` exceeds
/// [`limits::OVERVIEW_ORDERS`] by 1, to detect that orders are left out.
pub(super) fn open_orders(stores: StoreFilter) -> CrossStoreQuery {
    CrossStoreQuery {
        stores,
        from: OrderId::LOWEST,
        before: OrderId::HIGHEST,
        key: None,
        statuses: OPEN.into_iter().collect(),
        kinds: BTreeSet::new(),
        direction: Direction::OldestFirst,
        count: limits::OVERVIEW_ORDERS.saturating_add(1),
    }
}
