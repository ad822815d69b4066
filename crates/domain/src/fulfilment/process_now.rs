//! The store ends the window of an order.

use super::decision::{Context, Decision, Refusal};
use super::revision::Revision;
use super::select::refuse;
use super::snapshot::Snapshot;
use super::state::ItemState;
use super::status::{ItemStatus, Stage};
use super::table::Command;
use crate::event::EventType;
use crate::id::ItemId;

/// Makes the early items of an order ready that are not aside, whatever their window. All of them
/// must be complete.
///
/// # Errors
/// [`Refusal::IllegalTransition`] where an item is incomplete, or none is early or at work.
pub fn process_now(order: &Snapshot, context: &Context) -> Result<Decision, Refusal> {
    let mut revision = Revision::begin_with(Command::ProcessNow, order, context)?;
    let ids = |is_wanted: &dyn Fn(&ItemState) -> bool| -> Vec<ItemId> {
        let items = order.state.items.iter();
        items
            .filter(|item| is_wanted(item))
            .map(|item| item.id)
            .collect()
    };
    let waiting = ids(&ItemState::is_waiting);
    let incomplete = ids(&|item| item.status == ItemStatus::PendingDesign);
    if !incomplete.is_empty() {
        return Err(refuse(order, Command::ProcessNow, context, incomplete));
    }
    if waiting.is_empty() {
        let is_at_work = |item: &ItemState| item.stage() == Stage::AtWork;
        if order.state.items.iter().any(is_at_work) {
            return Ok(Decision::AlreadySo);
        }
        let all = ids(&|_| true);
        return Err(refuse(order, Command::ProcessNow, context, all));
    }
    for id in waiting {
        revision.go(id, ItemStatus::Ready);
    }
    revision.finish(EventType::OrderStatusChanged)
}
