//! Items of an order are made again by another order.

use super::decision::{Context, DecisionResult};
use super::revision::Revision;
use super::snapshot::Snapshot;
use crate::event::EventType;
use crate::id::ServiceOrderId;

/// Records that another order replaces this one, whatever the statuses of its items. The new order
/// is placed with [`Placement::replacing`](super::Placement::replacing).
pub fn replace(order: &Snapshot, by: ServiceOrderId, context: &Context) -> DecisionResult {
    let mut revision = Revision::begin(order, context)?;
    if !order.state.replaced_by.contains(&by) {
        revision.parts.state.replaced_by.push(by);
    }
    revision.finish(EventType::OrderReplaced)
}
