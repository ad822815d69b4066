//! Needs: questions of the print shop to the store.

use super::decision::{Context, Decision, DecisionResult, Refusal};
use super::item_state::ItemState;
use super::pending::{Need, NeedCode};
use super::revision::Revision;
use super::select::select_by_table;
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::Command;
use crate::check::IssueCode;
use crate::event::EventType;
use crate::value::{Amount, ItemId, NeedId};

/// A question of the print shop to the store, and the items to move to `need-action`.
#[derive(Clone, Debug, PartialEq)]
pub struct NeedCommand {
    /// Items to move to `need-action`; `None` for all items that the operator can move there.
    pub items: Option<Vec<ItemId>>,
    /// Id of the new need.
    pub id: NeedId,
    /// Kind of the print shop's question.
    pub code: NeedCode,
    /// Description of the need in words; `None` if `code` says enough.
    pub text: Option<String>,
    /// The fee to approve. Required for [`NeedCode::FeeApproval`], otherwise `None`.
    pub amount: Option<Amount>,
}

/// Asks the store the question in `command`: adds a need to `order`, and moves the items of
/// `command` to `need-action`. They stay there until an operator resolves the need, or the store
/// accepts the requested fee.
///
/// # Errors
/// [`Refusal::Invalid`] if `amount` is missing for a fee approval or given for another code;
/// [`Refusal::UnknownItem`] or [`Refusal::IllegalTransition`] if items cannot be moved.
pub fn need(order: &Snapshot, command: &NeedCommand, context: &Context) -> DecisionResult {
    let mut revision = Revision::begin(order, context)?;
    let is_fee = command.code == NeedCode::FeeApproval;
    let has_amount = command.amount.is_some_and(|amount| amount > Amount::ZERO);
    if is_fee && !has_amount {
        return Err(Refusal::required("amount", "the fee to approve"));
    }
    if !is_fee && command.amount.is_some() {
        let message = "`amount` must be absent unless `code` is `fee_approval`";
        return Err(Refusal::invalid("amount", IssueCode::OutOfRange, message));
    }
    let is_same = |need: &Need| {
        need.code == command.code && need.text == command.text && need.amount == command.amount
    };
    let is_so = |item: &ItemState| {
        item.status == ItemStatus::NeedAction && order.state.need_of(item.id).is_some_and(is_same)
    };
    let given = command.items.as_deref();
    let selected = select_by_table(order, given, Command::Need, context, is_so)?;
    let Some(items) = selected else {
        return Ok(Decision::Unchanged);
    };
    for id in &items {
        revision.go(*id, ItemStatus::NeedAction);
    }
    revision.parts.state.needs.push(Need {
        id: command.id,
        code: command.code,
        text: command.text.clone(),
        amount: command.amount,
        items,
        change: None,
        requested_at: context.now,
        answer: None,
    });
    revision.finish(EventType::OrderActionNeeded)
}
