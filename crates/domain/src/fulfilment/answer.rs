//! The store's answer to a need of the print shop.

use super::decision::{Context, Decision, DecisionResult, Refusal};
use super::pending::{Answer, Need, NeedCode};
use super::revision::Revision;
use super::select::select_by_table;
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::Command;
use crate::check::IssueCode;
use crate::event::EventType;
use crate::pricing::corrections::CorrectionParts;
use crate::pricing::fees::FeeType;
use crate::value::{CorrectionId, ItemId, NeedId};

/// A store's answer to needs, which are questions of the print shop about items.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerCommand {
    /// Items with a need to answer; `None` for all items that have a need.
    pub items: Option<Vec<ItemId>>,
    /// The answer in words; `None` is only allowed for fee approvals.
    pub text: Option<String>,
    /// Whether the store accepts the print shop's fee; `None` if no fee waits for approval.
    pub accept: Option<bool>,
}

/// Answers the newest need of each item of `command`. If the store accepts a fee, the fee is
/// charged, and the items leave `need-action`. Any other answer is stored in the need, which an
/// operator must resolve. `new_id` returns the ids of new fee lines.
pub fn answer(
    order: &Snapshot,
    command: &AnswerCommand,
    new_id: &dyn Fn() -> CorrectionId,
    context: &Context,
) -> DecisionResult {
    let mut revision = Revision::begin(order, context)?;
    let given = command.items.as_deref();
    let Some(items) = select_by_table(order, given, Command::Answer, context, |_| false)? else {
        return Ok(Decision::Unchanged);
    };
    let newest = items.iter().filter_map(|id| order.state.need_of(*id));
    let mut ids: Vec<NeedId> = newest.map(|need| need.id).collect();
    ids.dedup();
    let mut needs: Vec<Need> = order.state.needs.clone();
    needs.retain(|need| ids.contains(&need.id));
    check_answer(&needs, command)?;
    for need in needs {
        let is_fee = need.code == NeedCode::FeeApproval;
        if is_fee && command.accept == Some(true) {
            charge(&mut revision, &need, new_id())?;
            for id in need.items {
                leave_need(&mut revision, id);
            }
        } else {
            keep_answer(&mut revision, need.id, command, is_fee);
        }
    }
    revision.finish(EventType::OrderActionAnswered)
}

fn check_answer(needs: &[Need], command: &AnswerCommand) -> Result<(), Refusal> {
    let asks_fee = needs.iter().any(|need| need.code == NeedCode::FeeApproval);
    match (asks_fee, command.accept) {
        (true, None) => Err(Refusal::required("accept", "whether you accept the fee")),
        (false, Some(_)) => {
            let message = "must be absent: no fee waits for approval";
            Err(Refusal::invalid("accept", IssueCode::OutOfRange, message))
        }
        (false, None) if command.text.is_none() => {
            Err(Refusal::required("text", "the answer in words"))
        }
        _ => Ok(()),
    }
}

/// Stores `accept` only if `is_fee`. Keeps an equal stored answer with its time.
fn keep_answer(revision: &mut Revision<'_>, id: NeedId, command: &AnswerCommand, is_fee: bool) {
    let now = revision.context.now;
    let accept = command.accept.filter(|_| is_fee);
    let needs = revision.parts.state.needs.iter_mut();
    for need in needs.filter(|need| need.id == id) {
        let is_same = |given: &Answer| given.text == command.text && given.accept == accept;
        if !need.answer.as_ref().is_some_and(is_same) {
            need.answer = Some(Answer {
                text: command.text.clone(),
                accept,
                answered_at: now,
            });
        }
    }
}

/// The fee line belongs to an item if `need` concerns exactly one item, else to the order.
fn charge(revision: &mut Revision<'_>, need: &Need, id: CorrectionId) -> Result<(), Refusal> {
    let item = match need.items.as_slice() {
        [item] => Some(*item),
        _ => None,
    };
    let reason = need.text.clone();
    revision.correct(CorrectionParts {
        id,
        fee: FeeType::Other,
        item,
        amount: need.amount.unwrap_or_default().minor_units(),
        reason: reason.unwrap_or_else(|| "approved by the store".to_owned()),
    })
}

/// An item with another status than `need-action` is only removed from all needs.
fn leave_need(revision: &mut Revision<'_>, id: ItemId) {
    if revision.is_in(id, &[ItemStatus::NeedAction]) {
        revision.go_on(id);
    } else {
        revision.parts.state.end_needs(id);
    }
}
