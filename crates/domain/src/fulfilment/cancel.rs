//! Cancellation of items and of their fees.

use std::sync::Arc;

use super::ask::{SelectionOrRequest, ask, select_or_ask};
use super::decision::{Context, Decision, DecisionResult, Refusal};
use super::pending::ChangeRequest;
use super::revision::Revision;
use super::select::{Effect, check_reason};
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::Command;
use crate::event::EventType;
use crate::pricing::corrections::CorrectionParts;
use crate::pricing::fees::{Bill, FeeLine, FeeType};
use crate::value::{ChangeId, CorrectionId, ItemId};

/// The items to cancel, and whether their fees are still charged.
#[derive(Clone, Debug, PartialEq)]
pub struct CancelCommand {
    /// Items to cancel; `None` for all items that the caller can cancel.
    pub items: Option<Vec<ItemId>>,
    /// Whether product fees and surcharges stay charged; always `false` in a store's command.
    pub keep_fees: bool,
    /// Id for the pending change if the print shop must decide the cancellation; otherwise unused.
    pub change: ChangeId,
}

/// Cancels the items of `command`. A store's call for items of stage
/// [`AtWork`](super::Stage::AtWork) becomes a request. `new_id` returns the ids of new fee lines.
pub fn cancel(
    order: &Snapshot,
    command: &CancelCommand,
    new_id: &dyn Fn() -> CorrectionId,
    context: &Context,
) -> DecisionResult {
    let mut revision = Revision::begin(order, context)?;
    let request = ChangeRequest::Cancel {
        items: command.items.clone(),
    };
    let given = command.items.as_deref();
    let answered = select_or_ask(order, given, Command::Cancel, &request, context, |item| {
        let is_cancelled = item.status == ItemStatus::Cancelled;
        is_cancelled.then_some(Effect::Unchanged)
    })?;
    let items = match answered {
        SelectionOrRequest::Unchanged => return Ok(Decision::Unchanged),
        SelectionOrRequest::Asked(items) => {
            return ask(revision, (command.change, request), items, Vec::new());
        }
        SelectionOrRequest::Now(items) => items,
    };
    check_reason(order, &items, Command::Cancel, context)?;
    cancel_items(&mut revision, &items, command.keep_fees, new_id)?;
    revision.finish(EventType::OrderCancelled)
}

/// Takes product fees and surcharges of `items` off the bill; `keep_fees` charges them again as
/// operator fees. Earlier fee lines by operators stay. Empties the bill if all items are cancelled;
/// else sets `revision.needs_price` if every item is cancelled or [`Early`](super::Stage::Early).
pub(super) fn cancel_items(
    revision: &mut Revision<'_>,
    items: &[ItemId],
    keep_fees: bool,
    new_id: &dyn Fn() -> CorrectionId,
) -> Result<(), Refusal> {
    for id in items {
        revision.go(*id, ItemStatus::Cancelled);
    }
    revision.parts.state.forget(items);
    let bill = revision.parts.content.bill.clone();
    if keep_fees {
        keep_lines(revision, &bill, items, new_id)?;
    }
    let is_cancelled = revision.parts.state.is_cancelled();
    let new_bill = if is_cancelled {
        Bill::default()
    } else {
        without_items(&bill, items)
    };
    revision.needs_price = !is_cancelled && revision.parts.state.is_early();
    // `make_mut` copies the content, so an equal bill would count as changed content.
    if new_bill != bill {
        Arc::make_mut(&mut revision.parts.content).bill = new_bill;
    }
    Ok(())
}

fn is_own(line: &FeeLine, items: &[ItemId]) -> bool {
    let is_own_fee = matches!(line.fee, FeeType::Product | FeeType::Surcharge);
    is_own_fee && line.item.is_some_and(|item| items.contains(&item))
}

/// A fee with a known amount in `bill` keeps a known amount: 0 if no line remains.
fn without_items(bill: &Bill, items: &[ItemId]) -> Bill {
    let lines = bill.lines().iter().filter(|line| !is_own(line, items));
    let fees = FeeType::ALL.into_iter();
    let known = fees.filter(|fee| bill.fee(*fee).is_some());
    // Removing lines from a bill in range leaves it in range.
    Bill::new(lines.cloned().collect(), known).unwrap_or_default()
}

fn keep_lines(
    revision: &mut Revision<'_>,
    bill: &Bill,
    items: &[ItemId],
    new_id: &dyn Fn() -> CorrectionId,
) -> Result<(), Refusal> {
    // A line of 0 would only lengthen the bill.
    let lines = bill.lines().iter();
    for line in lines.filter(|line| is_own(line, items) && line.amount.minor_units() > 0) {
        let reason = revision.context.reason.clone();
        revision.correct(CorrectionParts {
            id: new_id(),
            fee: line.fee,
            item: line.item,
            amount: line.amount.minor_units(),
            reason: reason.unwrap_or_else(|| line.rule.clone()),
        })?;
    }
    Ok(())
}
