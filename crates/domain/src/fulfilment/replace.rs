//! Replacement of an order by another order that produces its items again.

use super::decision::{Context, DecisionResult};
use super::revision::Revision;
use super::snapshot::Snapshot;
use crate::event::EventType;
use crate::value::id::ServiceOrderId;

/// Records in `order` that the order with the number `by` replaces it. The statuses of the items do
/// not matter. Place the new order with [`Placement::replacing`](super::Placement::replacing).
pub fn replace(order: &Snapshot, by: ServiceOrderId, context: &Context) -> DecisionResult {
    let mut revision = Revision::begin(order, context)?;
    // A repeated call must not list the order twice.
    if !order.state.replaced_by.contains(&by) {
        revision.parts.state.replaced_by.push(by);
    }
    revision.finish(EventType::OrderReplaced)
}
