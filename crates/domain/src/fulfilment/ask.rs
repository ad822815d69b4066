//! Requests of a store to change items of stage [`Stage::AtWork`], for the print shop to decide.

use super::decision::{Context, DecisionResult, Refusal};
use super::item_state::ItemState;
use super::pending::{ChangeRequest, RequestedItem};
use super::revision::Revision;
use super::select::{Effect, row_for, select};
use super::snapshot::SnapshotParts;
use super::status::{ItemStatus, Stage};
use super::table::Command;
use crate::event::PendingChange;
use crate::event::{EventType, FieldChange, Role};
use crate::value::{ChangeId, ItemId};

pub(super) enum SelectionOrRequest {
    Now(Vec<ItemId>),
    /// The command becomes a request about the contained items: at least one is [`Stage::AtWork`].
    Asked(Vec<ItemId>),
    /// No item would change, or an equal request is already pending.
    Unchanged,
}

/// Selects the items that `command` changes, among `given` or all items. If a store selects an item
/// of stage [`Stage::AtWork`], the command becomes `request`; otherwise it takes effect now.
/// `effect` returns `None` to let [`TABLE`](super::TABLE) decide. Refuses with
/// [`Refusal::ChangePending`] if a request is needed, but another change is pending.
pub(super) fn select_or_ask(
    order: &SnapshotParts,
    given: Option<&[ItemId]>,
    command: Command,
    request: &ChangeRequest,
    context: &Context,
    effect: impl Fn(&ItemState) -> Option<Effect>,
) -> Result<SelectionOrRequest, Refusal> {
    let asks = context.role() == Role::Store;
    // Operators change items directly, so a store's pending change does not block them.
    let pending = order.state.pending.as_ref().filter(|_| asks);
    // A repeated request must not be refused because of itself.
    if pending.is_some_and(|pending| pending.request == *request) {
        return Ok(SelectionOrRequest::Unchanged);
    }
    let can = |item: &ItemState, command| row_for(order, item, command, context).is_some();
    let selected = select(order, given, command, context, |item| {
        effect(item).unwrap_or_else(|| {
            if can(item, command) || can(item, Command::Ask) {
                Effect::Moves
            } else {
                Effect::Illegal
            }
        })
    });
    let is_at_work = |id: &ItemId| order.state.is_at_work(*id);
    match selected {
        Ok(Some(items)) if asks && items.iter().any(is_at_work) => {
            Ok(SelectionOrRequest::Asked(items))
        }
        Ok(Some(items)) => Ok(SelectionOrRequest::Now(items)),
        Ok(None) => Ok(SelectionOrRequest::Unchanged),
        // The table refused the items only because another change is pending.
        Err(Refusal::IllegalTransition { items, .. })
            if pending.is_some() && items.iter().any(is_at_work) =>
        {
            Err(change_pending(order))
        }
        Err(refusal) => Err(refusal),
    }
}

pub(super) fn change_pending(order: &SnapshotParts) -> Refusal {
    let pending = order.state.pending.as_ref();
    let items = pending.map_or_else(Vec::new, |pending| pending.items.clone());
    Refusal::ChangePending { items }
}

/// Moves items of stage [`Stage::AtWork`] among `items` to `request-change`. `changes` are the
/// field changes of an update; empty for other requests.
pub(super) fn ask(
    mut revision: Revision<'_>,
    (id, request): (ChangeId, ChangeRequest),
    items: Vec<ItemId>,
    changes: Vec<FieldChange>,
) -> DecisionResult {
    let states = items.iter().filter_map(|id| revision.item(*id));
    // Early items of the request keep their status until the decision.
    let at_work = states.filter(|item| item.stage() == Stage::AtWork);
    let before: Vec<RequestedItem> = at_work
        .map(|item| RequestedItem {
            id: item.id,
            before: item.status,
            held_by: item.held_by,
            hold_until: item.hold_until,
        })
        .collect();
    for item in &before {
        revision.go(item.id, ItemStatus::RequestChange);
    }
    revision.parts.state.pending = Some(PendingChange {
        id,
        request,
        items,
        asked: before,
        changes,
        reason: revision.context.reason.clone(),
        requested_at: revision.context.now,
    });
    revision.finish(EventType::OrderChangeRequested)
}

/// Restores the item as it was before the change request, and ends questions about the request. An
/// item in `need-action` without a need moves to its [`ItemState::returns_to`] instead.
pub(super) fn restore(revision: &mut Revision<'_>, asked: &RequestedItem) {
    let state = &mut revision.parts.state;
    state.end_questions(asked.id);
    if asked.before == ItemStatus::NeedAction && state.need_of(asked.id).is_none() {
        revision.go_back(asked.id);
        return;
    }
    revision.go(asked.id, asked.before);
    if let Some(item) = revision.item_mut(asked.id) {
        item.held_by = asked.held_by;
        item.hold_until = asked.hold_until;
    }
}

pub(super) fn end_pending(revision: &mut Revision<'_>) {
    let state = &mut revision.parts.state;
    state.pending = None;
    // Questions about the pending change end with it; other needs stay.
    state.needs.retain(|need| need.change.is_none());
}
