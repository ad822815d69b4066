//! What the service does by itself when time has passed.

use super::decision::{Context, Decision, Refusal};
use super::revision::Revision;
use super::select::row_for;
use super::snapshot::Snapshot;
use super::state::ItemState;
use super::status::ItemStatus;
use super::table::Command;
use super::window::window_of_all;
use crate::event::EventType;
use crate::id::ItemId;

/// Releases the items whose hold has ended; if there are none, makes the items ready whose window
/// has ended. Both can be due: the order is then due again at once.
///
/// # Errors
/// [`Refusal::VersionConflict`], and the defects.
pub fn due(order: &Snapshot, context: &Context) -> Result<Decision, Refusal> {
    let mut revision = Revision::begin_with(Command::Due, order, context)?;
    let ended = items_of(order, Command::Release, context);
    if !ended.is_empty() {
        for id in ended {
            revision.go_on(id);
        }
        end_window(&mut revision);
        return revision.finish(EventType::OrderReleased);
    }
    let ready = items_of(order, Command::Due, context);
    for id in ready {
        revision.go(id, ItemStatus::Ready);
    }
    revision.finish(EventType::OrderStatusChanged)
}

/// Returns the items for which the caller can give a command now.
fn items_of(order: &Snapshot, command: Command, context: &Context) -> Vec<ItemId> {
    let can = |item: &&ItemState| row_for(order, item, command, context).is_some();
    order
        .state
        .items
        .iter()
        .filter(can)
        .map(|item| item.id)
        .collect()
}

/// Makes the order's early items ready if the window of each has ended. For commands that end a
/// hold: the items would have become ready without it.
pub(super) fn end_window(revision: &mut Revision<'_>) {
    let now = revision.context.now;
    if window_of_all(&revision.parts.state).is_none_or(|end| end > now) {
        return;
    }
    let items = revision.parts.state.items.iter();
    let waiting: Vec<ItemId> = items
        .filter(|item| item.is_waiting())
        .map(|item| item.id)
        .collect();
    for id in waiting {
        revision.go(id, ItemStatus::Ready);
    }
}
