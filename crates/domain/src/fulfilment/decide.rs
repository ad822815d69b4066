//! The print shop's decision about a change that a store has requested.

use super::ask::{end_pending, restore};
use super::ask_back::ask_back;
use super::cancel::cancel_items;
use super::decision::{Context, DecisionResult, Refusal};
use super::hold::put_on_hold;
use super::holder::Holder;
use super::item_state::ItemState;
use super::pending::ChangeRequest;
use super::revision::Revision;
use super::select::{refuse, row_for};
use super::snapshot::{Snapshot, SnapshotParts};
use super::status::{ItemStatus, Stage};
use super::table::Command;
use super::update::{apply, check_approved};
use crate::event::EventType;
use crate::event::PendingChange;
use crate::order::OrderParts;
use crate::value::{ChangeId, CorrectionId, ItemId, NeedId};

/// The print shop's decision about the pending change, which the store has requested.
#[derive(Clone, Debug, PartialEq)]
pub struct DecideCommand {
    /// Id of the pending change to decide; `None` for whichever change is pending.
    pub change: Option<ChangeId>,
    /// Whether to approve the change, to refuse it, or to ask the store a question first.
    pub verdict: Verdict,
}

/// The print shop's decision about a pending change.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Makes the change that the store requested.
    Approve {
        /// Priced content with the requested values or label; `None` for a hold or cancellation.
        edited: Option<Box<OrderParts>>,
        /// Whether product fees and surcharges are still charged; for a cancellation only.
        keep_fees: bool,
    },
    /// Rejects the change. Requires a reason in the [`Context`].
    Refuse,
    /// Asks the store a question before deciding.
    Ask {
        /// Id of the [`Need`](super::Need) that the question becomes.
        need: NeedId,
        /// The question in words; not empty.
        text: String,
    },
}

/// Decides the pending change of `order` by `command`. `new_id` returns the ids of new fee lines.
///
/// # Errors
/// - [`Refusal::IllegalTransition`] if no change is pending, if `command.change` is not the id of
///   the pending change, if a question about the change is open, or if no item waits in
///   `request-change`.
/// - [`Refusal::NotEditable`] if the change is approved but an item can no longer be changed.
/// - [`Refusal::Invalid`] if the reason for a refusal, the text of a question or the content of an
///   approved update is missing.
pub fn decide(
    order: &Snapshot,
    command: DecideCommand,
    new_id: &dyn Fn() -> CorrectionId,
    context: &Context,
) -> DecisionResult {
    let mut revision = Revision::begin_with(Command::Decide, order, context)?;
    let pending = order.state.pending.clone();
    let is_decided = |pending: &PendingChange| is_decided(order, pending, &command, context);
    let Some(pending) = pending.filter(is_decided) else {
        let all = order.state.ids_of(|_| true);
        return Err(refuse(order, Command::Decide, context, all));
    };
    match command.verdict {
        Verdict::Ask { need, text } if !text.trim().is_empty() => {
            ask_back(revision, order, need, &text)
        }
        Verdict::Ask { .. } => Err(Refusal::required("text", "the question")),
        Verdict::Refuse if context.reason.is_none() => {
            Err(Refusal::required("reason", "why, in words"))
        }
        Verdict::Refuse => {
            let waiting = waiting(order, &pending);
            let asked = pending.asked.iter();
            for item in asked.filter(|asked| waiting.contains(&asked.id)) {
                restore(&mut revision, item);
            }
            end_pending(&mut revision);
            revision.finish(EventType::OrderChangeRefused)
        }
        Verdict::Approve { edited, keep_fees } => {
            approve(&mut revision, order, &pending, edited, keep_fees, new_id)?;
            revision.finish(EventType::OrderChangeApproved)
        }
    }
}

fn waiting(order: &Snapshot, pending: &PendingChange) -> Vec<ItemId> {
    let waits = |item: &ItemState| item.status == ItemStatus::RequestChange;
    let mut waiting = order.state.ids_of(waits);
    waiting.retain(|id| pending.asked.iter().any(|asked| asked.id == *id));
    waiting
}

fn is_decided(
    order: &Snapshot,
    pending: &PendingChange,
    command: &DecideCommand,
    context: &Context,
) -> bool {
    let is_meant = command.change.is_none_or(|id| id == pending.id);
    let mut items = order.state.items.iter();
    is_meant && items.any(|item| row_for(order, item, Command::Decide, context).is_some())
}

fn approve(
    revision: &mut Revision<'_>,
    order: &Snapshot,
    pending: &PendingChange,
    edited: Option<Box<OrderParts>>,
    keep_fees: bool,
    new_id: &dyn Fn() -> CorrectionId,
) -> Result<(), Refusal> {
    match &pending.request {
        ChangeRequest::Update(_) | ChangeRequest::Label { .. } => {
            let Some(edited) = edited else {
                return Err(Refusal::required("edited", "the content to approve"));
            };
            check_approved(order, &edited)?;
            end_pending(revision);
            apply(revision, *edited);
            for id in waiting(order, pending) {
                revision.go_back(id);
            }
        }
        ChangeRequest::Hold { until, .. } => {
            // An item with shipped units can still be put on hold.
            check_not_done(order, pending, |_, _| false)?;
            end_pending(revision);
            for id in still_to_do(order, pending) {
                // An operator's own hold has priority over the requested hold of the store.
                if !revision.is_in(id, &[ItemStatus::OnHold]) {
                    put_on_hold(revision, id, Holder::Store, *until);
                }
            }
        }
        ChangeRequest::Cancel { .. } => {
            // Shipped units can no longer be cancelled.
            check_not_done(order, pending, |order, id| order.shipped(id) > 0)?;
            end_pending(revision);
            let items = still_to_do(order, pending);
            cancel_items(revision, &items, keep_fees, new_id)?;
        }
    }
    Ok(())
}

fn still_to_do(order: &Snapshot, pending: &PendingChange) -> Vec<ItemId> {
    let is_open = |item: &ItemState| item.status != ItemStatus::Cancelled;
    let is_concerned = |item: &ItemState| pending.items.contains(&item.id);
    order
        .state
        .ids_of(|item| is_concerned(item) && is_open(item))
}

/// Refuses if an item, except cancelled items, is [`Stage::Done`] or `hinders` returns `true`.
fn check_not_done(
    order: &Snapshot,
    pending: &PendingChange,
    hinders: impl Fn(&SnapshotParts, ItemId) -> bool,
) -> Result<(), Refusal> {
    let is_done = |id: ItemId| {
        let item = order.state.item(id);
        item.is_some_and(|item| item.stage() == Stage::Done)
    };
    let mut items = still_to_do(order, pending);
    items.retain(|id| is_done(*id) || hinders(order, *id));
    if items.is_empty() {
        return Ok(());
    }
    let reason = "units of the items are shipped";
    Err(Refusal::NotEditable { items, reason })
}
