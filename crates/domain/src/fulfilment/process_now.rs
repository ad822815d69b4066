//! Command of the store to end the cooling-off window of an order.

use super::decision::{Context, Decision, DecisionResult};
use super::item_state::ItemState;
use super::revision::Revision;
use super::select::refuse;
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::Command;
use crate::event::EventType;

/// Ends the cooling-off window of `order` now: moves its items in `cooling-off` to `ready`.
/// Suspended items keep their status. Nothing changes if no item is in `cooling-off`, but an item
/// has the stage [`Stage::AtWork`](super::Stage::AtWork).
///
/// # Errors
/// [`Refusal::IllegalTransition`](super::Refusal::IllegalTransition) if an item is in
/// `pending-design`, or if every item is done or is an early item on hold.
pub fn process_now(order: &Snapshot, context: &Context) -> DecisionResult {
    let mut revision = Revision::begin_with(Command::ProcessNow, order, context)?;
    let state = &order.state;
    let waiting = state.ids_of(ItemState::is_waiting);
    // A suspended item stays where it is, so it may be incomplete.
    let incomplete = state.ids_of(|item| item.status == ItemStatus::PendingDesign);
    if !incomplete.is_empty() {
        return Err(refuse(order, Command::ProcessNow, context, incomplete));
    }
    if waiting.is_empty() {
        let all = state.ids_of(|_| true);
        // A repeated command finds its items in a later stage.
        if all.iter().any(|id| state.is_at_work(*id)) {
            return Ok(Decision::Unchanged);
        }
        return Err(refuse(order, Command::ProcessNow, context, all));
    }
    for id in waiting {
        revision.go(id, ItemStatus::Ready);
    }
    revision.finish(EventType::OrderStatusChanged)
}
