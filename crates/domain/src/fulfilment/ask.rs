//! Asking for a change of items at work.

use super::decision::{Context, DecisionResult, Refusal};
use super::item_state::ItemState;
use super::pending::{ChangeRequest, RequestedItem};
use super::revision::Revision;
use super::select::{Effect, SelectedItems, row_for, select};
use super::snapshot::SnapshotParts;
use super::status::{ItemStatus, Stage};
use super::table::Command;
use crate::event::PendingChange;
use crate::event::{EventType, FieldChange, Role};
use crate::id::{ChangeId, ItemId};

pub(super) enum SelectionOrRequest {
    Now(Vec<ItemId>),
    /// One of these items is at work: the shop decides.
    Asked(Vec<ItemId>),
    /// What it asks for is so already, or is the pending change.
    Unchanged,
}

/// Chooses the items of a hold or a cancellation. A store's call that covers an item at work
/// becomes a request.
pub(super) fn select_or_ask(
    order: &SnapshotParts,
    given: Option<&[ItemId]>,
    command: Command,
    request: &ChangeRequest,
    context: &Context,
    effect: impl Fn(&ItemState) -> Option<Effect>,
) -> Result<SelectionOrRequest, Refusal> {
    let asks = context.role() == Role::Store;
    let pending = order.state.pending.as_ref().filter(|_| asks);
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
        Ok(SelectedItems::Items(items)) if asks && items.iter().any(is_at_work) => {
            Ok(SelectionOrRequest::Asked(items))
        }
        Ok(SelectedItems::Items(items)) => Ok(SelectionOrRequest::Now(items)),
        Ok(SelectedItems::Unchanged) => Ok(SelectionOrRequest::Unchanged),
        // Another change of these items is pending: that is why they cannot be asked for.
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

pub(super) struct RequestedChange {
    pub(super) id: ChangeId,
    pub(super) request: ChangeRequest,
    pub(super) items: Vec<ItemId>,
    /// What an update would change.
    pub(super) changes: Vec<FieldChange>,
}

impl RequestedChange {
    pub(super) fn of_items(id: ChangeId, request: ChangeRequest, items: Vec<ItemId>) -> Self {
        let changes = Vec::new();
        Self {
            id,
            request,
            items,
            changes,
        }
    }
}

/// Keeps a change as pending; the items at work wait for the shop's decision.
pub(super) fn ask(mut revision: Revision<'_>, asked: RequestedChange) -> DecisionResult {
    let states = asked.items.iter().filter_map(|id| revision.item(*id));
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
        id: asked.id,
        request: asked.request,
        items: asked.items,
        asked: before,
        changes: asked.changes,
        reason: revision.context.reason.clone(),
        requested_at: revision.context.now,
    });
    revision.finish(EventType::OrderChangeRequested)
}

/// Gives an item back the status that it had when the store asked, with its hold. One for which something
/// was needed then, and is not any more, returns to where it came from.
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
    state.needs.retain(|need| need.change.is_none());
}
