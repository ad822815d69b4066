//! Asking the store back about the change that it has asked for.

use super::decision::DecisionResult;
use super::pending::{Need, NeedCode};
use super::revision::Revision;
use super::select::{refuse, row_for};
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::Command;
use crate::event::EventType;
use crate::id::{ItemId, NeedId};

/// Asks back about the pending change: the items that wait for its decision need an answer first.
pub(super) fn ask_back(
    mut revision: Revision<'_>,
    order: &Snapshot,
    id: NeedId,
    text: &str,
) -> DecisionResult {
    let context = revision.context;
    let pending = order.state.pending.as_ref();
    let asked = pending.map_or(&[][..], |pending| pending.asked.as_slice());
    let waiting = asked.iter().filter_map(|asked| order.state.item(asked.id));
    let items: Vec<ItemId> = waiting
        .filter(|item| row_for(order, item, Command::Decide, context).is_some())
        .map(|item| item.id)
        .collect();
    if items.is_empty() {
        return Err(refuse(order, Command::Decide, context, items));
    }
    for item in &items {
        revision.go(*item, ItemStatus::NeedAction);
    }
    revision.parts.state.needs.push(Need {
        id,
        code: NeedCode::Other,
        text: Some(text.to_owned()),
        amount: None,
        items,
        change: pending.map(|pending| pending.id),
        requested_at: context.now,
        answer: None,
    });
    revision.finish(EventType::OrderActionNeeded)
}
