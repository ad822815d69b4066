//! The next command for an order on its way to a status.

use crate::fulfilment::{ItemState, ItemStatus, Shipment, Tracking};
use crate::order::Order;
use crate::value::{ItemId, ShipmentId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    ProcessNow,
    Release,
    Resolve,
    Start,
    Ship,
    Need,
    Cancel,
    Track(ShipmentId, Tracking),
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    Step(Step),
    Arrived,
    Blocked(Vec<ItemId>),
}

/// From 0; `None` for `cancelled` and the statuses of suspended items.
fn distance(status: ItemStatus) -> Option<u8> {
    Some(match status {
        ItemStatus::PendingDesign | ItemStatus::CoolingOff => 0,
        ItemStatus::Ready => 1,
        ItemStatus::InProduction => 2,
        ItemStatus::Fulfilled => 3,
        ItemStatus::Delivered => 4,
        ItemStatus::Returned => 5,
        _ => return None,
    })
}

/// Returns the next command that brings items closer to `to`, or the items that no command brings
/// closer. Cancelled items stay cancelled. The command can still be refused when it is given.
pub(super) fn next(order: &Order, to: ItemStatus) -> Next {
    let items = order.state.items.iter();
    let live: Vec<&ItemState> = items
        .filter(|item| item.status != ItemStatus::Cancelled)
        .collect();
    if to == ItemStatus::Cancelled {
        let cancelled = live.is_empty().then_some(Next::Arrived);
        return cancelled.unwrap_or(Next::Step(Step::Cancel));
    }
    let is_before = |item: &&&ItemState| match (distance(item.status), distance(to)) {
        (Some(here), Some(there)) => here < there,
        // `to` is need-action: an operator can ask for something until the item is fulfilled.
        (Some(here), None) => here < 3,
        (None, _) => item.status != to,
    };
    let waiting: Vec<&ItemState> = live.iter().filter(is_before).copied().collect();
    if !waiting.is_empty() {
        return step(order, &waiting, to).map_or_else(|| Next::Blocked(ids(&waiting)), Next::Step);
    }
    if live.iter().any(|item| item.status == to) {
        return Next::Arrived;
    }
    Next::Blocked(order.state.items.iter().map(|item| item.id).collect())
}

fn ids(items: &[&ItemState]) -> Vec<ItemId> {
    items.iter().map(|item| item.id).collect()
}

fn step(order: &Order, waiting: &[&ItemState], to: ItemStatus) -> Option<Step> {
    let has = |status| waiting.iter().any(|item| item.status == status);
    // A pending change needs a decision, which no step makes.
    if has(ItemStatus::RequestChange) {
        return None;
    }
    if has(ItemStatus::OnHold) {
        return Some(Step::Release);
    }
    if has(ItemStatus::NeedAction) {
        return Some(Step::Resolve);
    }
    let distances = waiting.iter().filter_map(|item| distance(item.status));
    // The items that are furthest behind come first.
    match distances.min()? {
        0 => Some(Step::ProcessNow),
        _ if to == ItemStatus::NeedAction => Some(Step::Need),
        1 => Some(Step::Start),
        2 => Some(Step::Ship),
        _ => track(order, to),
    }
}

fn track(order: &Order, to: ItemStatus) -> Option<Step> {
    let tracking = match to {
        ItemStatus::Delivered => Tracking::Delivered,
        _ => Tracking::Returned,
    };
    let is_moved = |shipment: &&Shipment| tracking.moves(shipment);
    let shipment = order.shipments.iter().find(is_moved)?;
    Some(Step::Track(shipment.id, tracking))
}
