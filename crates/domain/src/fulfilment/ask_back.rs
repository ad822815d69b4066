//! The print shop's question to the store about the pending change.

use super::decision::DecisionResult;
use super::pending::{Need, NeedCode};
use super::revision::Revision;
use super::select::{refuse, row_for};
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::Command;
use crate::event::EventType;
use crate::value::{ItemId, NeedId};

/// Stores the question as the need `id`. Items in `request-change` move to `need-action`.
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
    // Items that have left `request-change` meanwhile are not moved.
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
