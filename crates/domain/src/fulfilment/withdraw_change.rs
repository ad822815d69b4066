//! The store takes back the change that it has asked for.

use super::ask::{end_pending, restore};
use super::decision::{Context, Decision, DecisionResult};
use super::revision::Revision;
use super::select::row_for;
use super::snapshot::Snapshot;
use super::table::{Command, Target};
use crate::event::EventType;

/// Takes back the pending change. Items get the status that they had when the store asked; an
/// operator's hold over the request stays.
pub fn withdraw_change(order: &Snapshot, context: &Context) -> DecisionResult {
    let mut revision = Revision::begin_with(Command::WithdrawChange, order, context)?;
    let Some(pending) = &order.state.pending else {
        return Ok(Decision::Unchanged);
    };
    for asked in &pending.asked {
        let item = order.state.item(asked.id);
        let row = item.and_then(|item| row_for(order, item, Command::WithdrawChange, context));
        if row.is_some_and(|row| row.to != [Target::Same]) {
            restore(&mut revision, asked);
        }
    }
    end_pending(&mut revision);
    revision.finish(EventType::OrderChangeWithdrawn)
}
