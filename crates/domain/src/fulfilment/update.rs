//! Changes of the values of an order.

use std::sync::Arc;

use super::ask::{ask, change_pending};
use super::decision::{Change, Context, DecisionResult, Refusal};
use super::files::recheck_files;
use super::pending::{ChangeKind, ChangeRequest};
use super::place::{end_empty_window, new_item};
use super::revision::Revision;
use super::snapshot::{Snapshot, SnapshotParts};
use super::status::Stage;
use super::table::Command;
use crate::event::PendingChange;
use crate::event::{EventType, Role, content_changes};
use crate::order::OrderParts;
use crate::value::{ChangeId, ItemId};

/// Effect of an update, as [`plan_update`] decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdatePlan {
    /// No value would change, or an equal request is pending: the order is returned as it is.
    Unchanged,
    /// The update takes effect immediately: the use case prices it, and calls [`update`].
    Apply,
    /// The print shop decides: the use case calls [`ask_update`].
    Ask,
}

/// Returns the effect of an update of `order`. `edited` is the content with the new values, not yet
/// priced.
///
/// # Errors
/// - [`Refusal::NotEditable`] if the update concerns a done item, if all items are done, or if an
///   item would have fewer units than are shipped.
/// - [`Refusal::ChangePending`] if the update must be requested, but another change is pending.
/// - [`Refusal::Invalid`] if an operator gives no reason.
pub fn plan_update(
    order: &Snapshot,
    edited: &OrderParts,
    request: &ChangeRequest,
    context: &Context,
) -> Result<UpdatePlan, Refusal> {
    let is_store = context.role() == Role::Store;
    // Operators change orders directly, so only a store can repeat a pending request.
    let pending = order.state.pending.as_ref().filter(|_| is_store);
    if pending.is_some_and(|pending| is_same(pending, order, edited, request)) {
        return Ok(UpdatePlan::Unchanged);
    }
    // Only the version and the caller's role are checked here; nothing is changed yet.
    Revision::begin_with(Command::Update, order, context)?;
    if *edited == *order.content {
        return Ok(UpdatePlan::Unchanged);
    }
    let concerned = concerned(order, edited);
    check_fits(order, edited, &concerned)?;
    if !is_store && context.reason.is_none() {
        return Err(Refusal::required("reason", "why, in words"));
    }
    if !is_store || !concerned.iter().any(|id| order.state.is_at_work(*id)) {
        return Ok(UpdatePlan::Apply);
    }
    if pending.is_some() {
        return Err(change_pending(order));
    }
    Ok(UpdatePlan::Ask)
}

/// Returns whether the requests are equal, or `edited` changes the same values in the same way.
fn is_same(
    pending: &PendingChange,
    order: &Snapshot,
    edited: &OrderParts,
    request: &ChangeRequest,
) -> bool {
    let is_update = pending.request.kind() == ChangeKind::Update;
    pending.request == *request
        || is_update && pending.changes == content_changes(&order.content, edited)
}

/// A new shipping address, note or label, or an added item, concerns all items that are not done. A
/// changed or removed item concerns only this item. Other values concern no item.
fn concerned(order: &SnapshotParts, edited: &OrderParts) -> Vec<ItemId> {
    let content = &order.content;
    let mut lines = edited.items.iter();
    let adds_item = lines.any(|line| order.state.item(line.id).is_none());
    let concerns_all = adds_item || content.is_made_differently(edited);
    order.state.ids_of(|item| {
        let before = order.line(item.id);
        let after = edited.items.iter().find(|line| line.id == item.id);
        let pair = before.zip(after);
        let is_changed = pair.is_none_or(|(before, after)| !before.has_same_values(after));
        is_changed || concerns_all && item.stage() != Stage::Done
    })
}

pub(super) fn check_fits(
    order: &SnapshotParts,
    edited: &OrderParts,
    concerned: &[ItemId],
) -> Result<(), Refusal> {
    // If all items are done, an update of any value is refused, even if it concerns no item.
    let mut items = order.done_items();
    if items.len() < order.state.items.len() {
        items.retain(|id| concerned.contains(id));
    }
    if !items.is_empty() {
        let reason = "the items are done";
        return Err(Refusal::NotEditable { items, reason });
    }
    let items = order.state.ids_of(|item| {
        let after = edited.items.iter().find(|line| line.id == item.id);
        item.shipped_quantity > after.map_or(0, |line| line.quantity)
    });
    if items.is_empty() {
        Ok(())
    } else {
        let reason = "more units are shipped than would be left";
        Err(Refusal::NotEditable { items, reason })
    }
}

/// Applies an update that needs no approval. `edited` is the priced content with the new values.
pub fn update(order: &Snapshot, edited: OrderParts, context: &Context) -> DecisionResult {
    let mut revision = Revision::begin_with(Command::Update, order, context)?;
    check_approved(order, &edited)?;
    apply(&mut revision, edited);
    revision.finish(EventType::OrderUpdated)
}

/// Stores `request` as the pending change `id`. `edited` is the content with the new values.
pub fn ask_update(
    order: &Snapshot,
    edited: &OrderParts,
    request: ChangeRequest,
    id: ChangeId,
    context: &Context,
) -> DecisionResult {
    let revision = Revision::begin(order, context)?;
    let changes = content_changes(&order.content, edited);
    ask(revision, (id, request), concerned(order, edited), changes)
}

pub(super) fn check_approved(order: &SnapshotParts, edited: &OrderParts) -> Result<(), Refusal> {
    check_fits(order, edited, &concerned(order, edited))
}

pub(super) fn apply(revision: &mut Revision<'_>, edited: OrderParts) {
    let now = revision.context.now;
    let state = &mut revision.parts.state;
    // `new_item` changes `state`, so its items are moved out first.
    let mut before = std::mem::take(&mut state.items);
    let mut added = Vec::new();
    let mut items = Vec::with_capacity(edited.items.len());
    for line in &edited.items {
        // Found items keep their state; the rest of `before` was removed from the order.
        let known = before.iter().position(|item| item.id == line.id);
        items.push(match known {
            Some(place) => before.remove(place),
            None => {
                added.push(line.id);
                new_item(state, line, now)
            }
        });
    }
    state.items = items;
    let removed: Vec<ItemId> = before.iter().map(|item| item.id).collect();
    state.forget(&removed);
    revision.parts.content = Arc::new(edited);
    recheck_files(revision);
    end_empty_window(&mut revision.parts.state, &added, now);
}

/// Returns the decision to make `change` of the order `before` with the content `priced`. Required
/// if [`Change::needs_price`] is set. `priced` has new prices of all items except cancelled items.
pub fn reprice(
    before: &Snapshot,
    change: &Change,
    priced: OrderParts,
    context: &Context,
) -> DecisionResult {
    let mut revision = Revision::begin(before, context)?;
    revision.parts = SnapshotParts::clone(&change.order);
    // `finish_with` increases the version again.
    revision.parts.state.version = before.state.version;
    revision.parts.state.updated_at = before.state.updated_at;
    revision.parts.content = Arc::new(priced);
    recheck_files(&mut revision);
    let shipment = change.event.shipment.as_ref().map(|shipment| shipment.id);
    revision.finish_with(change.event.kind, shipment)
}
