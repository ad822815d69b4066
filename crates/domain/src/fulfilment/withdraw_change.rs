//! Withdrawal of the pending change by the store.

use super::ask::{end_pending, restore};
use super::decision::{Context, Decision, DecisionResult};
use super::revision::Revision;
use super::select::row_for;
use super::snapshot::Snapshot;
use super::table::Command;
use super::transition::Target;
use crate::event::EventType;

/// Withdraws the pending change of `order`, if there is one. Items that wait for the decision
/// return to the status before the request. A later hold by an operator stays.
pub fn withdraw_change(order: &Snapshot, context: &Context) -> DecisionResult {
    let mut revision = Revision::begin_with(Command::WithdrawChange, order, context)?;
    let Some(pending) = &order.state.pending else {
        return Ok(Decision::Unchanged);
    };
    for asked in &pending.asked {
        // Items put on hold meanwhile match only the row with the target `Same`, and stay.
        let item = order.state.item(asked.id);
        let row = item.and_then(|item| row_for(order, item, Command::WithdrawChange, context));
        if row.is_some_and(|row| row.to != [Target::Same]) {
            restore(&mut revision, asked);
        }
    }
    end_pending(&mut revision);
    revision.finish(EventType::OrderChangeWithdrawn)
}
