//! The time in which a store changes an order at will, and when an order falls due.

use super::item_state::ItemState;
use super::state::OrderState;
use super::status::ItemStatus;
use crate::time::Timestamp;

pub(super) fn end_of_window(from: Timestamp, seconds: u32) -> Timestamp {
    let millis = i64::from(seconds).saturating_mul(1000);
    Timestamp::from_millis(from.as_millis().saturating_add(millis))
}

pub(super) fn all_complete(state: &OrderState) -> bool {
    let mut waiting = state.items.iter().filter(|item| item.is_waiting());
    waiting.all(|item| item.status == ItemStatus::CoolingOff)
}

/// Returns the end of the window of the items that become ready together; `None` if there are none,
/// or one of them is incomplete.
pub fn window_of_all(state: &OrderState) -> Option<Timestamp> {
    if !all_complete(state) {
        return None;
    }
    let waiting = state.items.iter().filter(|item| item.is_waiting());
    waiting.filter_map(|item| item.window_end).max()
}

/// Returns until when the store can change an item at will; `None` where no end is known, for items
/// aside or done, and from ready on.
pub fn editable_until(state: &OrderState, item: &ItemState) -> Option<Timestamp> {
    if item.is_waiting() {
        window_of_all(state)
    } else {
        None
    }
}

/// Returns when the service must next look at an order: at the end of its window or of a hold.
pub fn due_at(state: &OrderState) -> Option<Timestamp> {
    let holds = state.items.iter().filter_map(|item| item.hold_until);
    holds.chain(window_of_all(state)).min()
}
