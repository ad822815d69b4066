//! Release of items that are on hold.

use super::decision::{Context, Decision, DecisionResult};
use super::due::end_window;
use super::item_state::ItemState;
use super::revision::Revision;
use super::select::{refuse, select_by_table};
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::Command;
use crate::event::EventType;
use crate::value::ItemId;

/// Ends holds of the items `given`; `None` stands for all items that the caller can release. A
/// store can release its own holds, an operator any hold. An item returns to `request-change` if it
/// waits for the decision about a change, else to its previous status. Items become `ready` if
/// their cooling-off window has ended meanwhile.
///
/// # Errors
/// [`Refusal::IllegalTransition`](super::Refusal::IllegalTransition) if a store calls and operators
/// hold an item in `given`. If `given` is `None`, only if operators hold every item on hold.
pub fn release(order: &Snapshot, given: Option<&[ItemId]>, context: &Context) -> DecisionResult {
    let mut revision = Revision::begin(order, context)?;
    let is_free = |item: &ItemState| item.status != ItemStatus::OnHold;
    let Some(items) = select_by_table(order, given, Command::Release, context, is_free)? else {
        let held = order.state.ids_of(|item| !is_free(item));
        // Without a list, free items do not count as a success if another party holds the rest.
        if given.is_none() && !held.is_empty() {
            return Err(refuse(order, Command::Release, context, held));
        }
        return Ok(Decision::Unchanged);
    };
    for id in items {
        revision.go_on(id);
    }
    end_window(&mut revision);
    revision.finish(EventType::OrderReleased)
}
