//! Replacement of an order by another order that produces its items again.

use super::decision::{Context, DecisionResult};
use super::revision::Revision;
use super::snapshot::Snapshot;
use crate::event::EventType;
use crate::value::ServiceOrderId;

/// Records that the order `by` replaces `order`. The statuses of the items do not matter.
pub fn replace(order: &Snapshot, by: ServiceOrderId, context: &Context) -> DecisionResult {
    let mut revision = Revision::begin(order, context)?;
    // A repeated call must not list the order twice.
    if !order.state.replaced_by.contains(&by) {
        revision.parts.state.replaced_by.push(by);
    }
    revision.finish(EventType::OrderReplaced)
}
