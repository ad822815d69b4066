//! Commands that only move items, such as the start of production.

use super::decision::{Context, Decision, DecisionResult, target_of};
use super::item_state::ItemState;
use super::revision::Revision;
use super::select::{check_reason, refuse, select_by_table};
use super::snapshot::Snapshot;
use super::table::Command;
use crate::event::EventType;
use crate::value::ItemId;

/// Moves `items`, or all items that can be moved, to the only target status of `command` in
/// [`TABLE`](super::TABLE). Items with this status stay unchanged. A command with further effects,
/// such as [`Command::Hold`], has its own function, such as [`hold`](super::hold).
///
/// # Errors
/// A [`Refusal`](super::Refusal) if an item is unknown, if the command is illegal for an item of
/// `items` or for all items, if a required reason is missing, or if `command` does not have exactly
/// one target status.
pub fn move_items(
    command: Command,
    order: &Snapshot,
    items: Option<&[ItemId]>,
    context: &Context,
) -> DecisionResult {
    let mut revision = Revision::begin(order, context)?;
    let Some(to) = target_of(command, context.role()) else {
        let all = order.state.ids_of(|_| true);
        return Err(refuse(order, command, context, all));
    };
    let is_so = |item: &ItemState| item.status == to;
    let Some(items) = select_by_table(order, items, command, context, is_so)? else {
        return Ok(Decision::Unchanged);
    };
    check_reason(order, &items, command, context)?;
    for id in items {
        revision.go(id, to);
    }
    revision.finish(EventType::OrderStatusChanged)
}
