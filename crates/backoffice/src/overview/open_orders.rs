//! Which orders are open.

use std::collections::BTreeSet;

use crate::queue::{CrossStoreQuery, Direction, StoreFilter};
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::id::OrderId;
use pressline_domain::limits;

/// The statuses of items that the shop works on, or that wait for a decision.
pub(super) const OPEN: [ItemStatus; 5] = [
    ItemStatus::Ready,
    ItemStatus::InProduction,
    ItemStatus::RequestChange,
    ItemStatus::NeedAction,
    ItemStatus::OnHold,
];

/// A walk through the oldest open orders, one more than are counted.
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
