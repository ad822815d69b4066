//! Moves that the service makes without a caller when a hold or a cooling-off window has ended.

use super::decision::{Context, DecisionResult};
use super::item_state::ItemState;
use super::revision::Revision;
use super::select::row_for;
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::Command;
use super::window::window_of_all;
use crate::event::EventType;

/// Makes the due moves of `order`: releases items with ended holds, and moves
/// [waiting](ItemState::is_waiting) items to `ready` if their common window has ended.
pub fn due(order: &Snapshot, context: &Context) -> DecisionResult {
    let mut revision = Revision::begin_with(Command::Due, order, context)?;
    let items_of = |command| {
        let can = |item: &ItemState| row_for(order, item, command, context).is_some();
        order.state.ids_of(can)
    };
    let ended = items_of(Command::Release);
    if !ended.is_empty() {
        for id in ended {
            revision.go_on(id);
        }
        end_window(&mut revision);
        return revision.finish(EventType::OrderReleased);
    }
    for id in items_of(Command::Due) {
        revision.go(id, ItemStatus::Ready);
    }
    revision.finish(EventType::OrderStatusChanged)
}

/// Must be called after a hold ends: held items are not moved when the window ends.
pub(super) fn end_window(revision: &mut Revision<'_>) {
    let now = revision.context.now;
    if window_of_all(&revision.parts.state).is_none_or(|end| end > now) {
        return;
    }
    for id in revision.parts.state.ids_of(ItemState::is_waiting) {
        revision.go(id, ItemStatus::Ready);
    }
}
