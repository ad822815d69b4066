//! Selection of the items that a command moves.

use super::allowed::allowed_actions_of;
use super::decision::{Context, Refusal, target_of};
use super::item_state::ItemState;
use super::snapshot::SnapshotParts;
use super::table::{Command, transitions};
use super::transition::Transition;
use crate::value::ItemId;

pub(super) enum Effect {
    Moves,
    Unchanged,
    Illegal,
}

pub(super) fn row_for(
    order: &SnapshotParts,
    item: &ItemState,
    command: Command,
    context: &Context,
) -> Option<&'static Transition> {
    transitions(command, context.role())
        .find(|row| row.starts_at(item.position()) && row.guard.holds(order, item, context.now))
}

/// Selects among `given`, or among all items. Returns `None` if no item changes, but at least one
/// item already is as the command would leave it. Refuses if an item of `given` is unknown or
/// illegal for `command`; without `given`, if all items are illegal.
pub(super) fn select(
    order: &SnapshotParts,
    given: Option<&[ItemId]>,
    command: Command,
    context: &Context,
    effect: impl Fn(&ItemState) -> Effect,
) -> Result<Option<Vec<ItemId>>, Refusal> {
    let unknown = unknown_items(order, given);
    if !unknown.is_empty() {
        return Err(Refusal::UnknownItem(unknown));
    }
    let (mut moved, mut illegal, mut is_so) = (Vec::new(), Vec::new(), false);
    for item in &order.state.items {
        if given.is_some_and(|given| !given.contains(&item.id)) {
            continue;
        }
        match effect(item) {
            Effect::Moves => moved.push(item.id),
            Effect::Unchanged => is_so = true,
            Effect::Illegal => illegal.push(item.id),
        }
    }
    // Without a list of items, items that cannot be moved are left out.
    if given.is_some() && !illegal.is_empty() {
        return Err(refuse(order, command, context, illegal));
    }
    match (moved.is_empty(), is_so) {
        (false, _) => Ok(Some(moved)),
        (true, true) => Ok(None),
        (true, false) => Err(refuse(order, command, context, illegal)),
    }
}

/// Selects the items that `command` changes, like [`select`]. `is_so` returns `true` for an item
/// that already is as the command would leave it. For other items, [`TABLE`](super::TABLE) decides.
pub(super) fn select_by_table(
    order: &SnapshotParts,
    given: Option<&[ItemId]>,
    command: Command,
    context: &Context,
    is_so: impl Fn(&ItemState) -> bool,
) -> Result<Option<Vec<ItemId>>, Refusal> {
    select(order, given, command, context, |item| {
        if is_so(item) {
            Effect::Unchanged
        } else if row_for(order, item, command, context).is_some() {
            Effect::Moves
        } else {
            Effect::Illegal
        }
    })
}

fn unknown_items(order: &SnapshotParts, given: Option<&[ItemId]>) -> Vec<ItemId> {
    let given = given.unwrap_or_default().iter().copied();
    given.filter(|id| order.state.item(*id).is_none()).collect()
}

pub(super) fn refuse(
    order: &SnapshotParts,
    command: Command,
    context: &Context,
    items: Vec<ItemId>,
) -> Refusal {
    let first = items.first().and_then(|id| order.state.item(*id));
    // Without `items`, the refusal describes the first item of the order.
    let Some(item) = first.or_else(|| order.state.items.first()) else {
        return Refusal::UnknownItem(items);
    };
    let allowed = allowed_actions_of(order, item, context.role(), context.now);
    Refusal::IllegalTransition {
        from: item.status,
        to: target_of(command, context.role()),
        allowed: allowed.into_iter().map(|allowed| allowed.action).collect(),
        items,
    }
}

pub(super) fn check_reason(
    order: &SnapshotParts,
    items: &[ItemId],
    command: Command,
    context: &Context,
) -> Result<(), Refusal> {
    for item in items.iter().filter_map(|id| order.state.item(*id)) {
        if let Some(row) = row_for(order, item, command, context) {
            context.check_reason(row)?;
        }
    }
    Ok(())
}
