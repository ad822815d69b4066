//! The store ends the window of an order.

use super::decision::{Context, Decision, DecisionResult};
use super::item_state::ItemState;
use super::revision::Revision;
use super::select::refuse;
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::Command;
use crate::event::EventType;

/// Makes the early items of an order ready that are not aside, whatever their window. All of them
/// must be complete.
///
/// # Errors
/// [`Refusal::IllegalTransition`](super::Refusal::IllegalTransition) where an item is incomplete, or none is early or at work.
pub fn process_now(order: &Snapshot, context: &Context) -> DecisionResult {
    let mut revision = Revision::begin_with(Command::ProcessNow, order, context)?;
    let state = &order.state;
    let waiting = state.ids_of(ItemState::is_waiting);
    let incomplete = state.ids_of(|item| item.status == ItemStatus::PendingDesign);
    if !incomplete.is_empty() {
        return Err(refuse(order, Command::ProcessNow, context, incomplete));
    }
    if waiting.is_empty() {
        let all = state.ids_of(|_| true);
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
