//! Items that become complete or incomplete because print files or requirements of areas changed.

use super::completeness::is_complete;
use super::revision::Revision;
use super::status::{ItemStatus, Stage};
use super::window::end_of_window;

/// Moves early items between `pending-design` and `cooling-off`, or changes `returns_to` on hold.
/// The cooling-off window of an item that becomes complete starts again.
pub(super) fn recheck_files(revision: &mut Revision<'_>) {
    let state = &revision.parts.state;
    let end = end_of_window(revision.context.now, state.cooling_off_seconds);
    for id in state.ids_of(|item| item.stage() == Stage::Early) {
        let complete = revision.parts.line(id).is_some_and(is_complete);
        let Some(item) = revision.item_mut(id) else {
            continue;
        };
        let base = match (item.position().base(), complete) {
            (ItemStatus::PendingDesign, true) => ItemStatus::CoolingOff,
            (ItemStatus::CoolingOff, false) => ItemStatus::PendingDesign,
            _ => continue,
        };
        item.window_end = complete.then_some(end);
        if item.status.is_suspended() {
            item.returns_to = Some(base);
        } else {
            item.status = base;
        }
    }
}
