//! The cooling-off window, in which a store can change an order freely, and the due time of an
//! order.

use super::item_state::ItemState;
use super::state::OrderState;
use super::status::ItemStatus;
use crate::value::Timestamp;

pub(super) fn end_of_window(from: Timestamp, seconds: u32) -> Timestamp {
    let millis = i64::from(seconds).saturating_mul(1000);
    Timestamp::from_millis(from.as_millis().saturating_add(millis))
}

pub(super) fn all_complete(state: &OrderState) -> bool {
    let mut waiting = state.items.iter().filter(|item| item.is_waiting());
    waiting.all(|item| item.status == ItemStatus::CoolingOff)
}

/// Returns the end of the cooling-off window of all [waiting](ItemState::is_waiting) items, which
/// become ready together. Returns `None` if no item waits, or a waiting item lacks print files.
pub fn window_of_all(state: &OrderState) -> Option<Timestamp> {
    if !all_complete(state) {
        return None;
    }
    let waiting = state.items.iter().filter(|item| item.is_waiting());
    waiting.filter_map(|item| item.window_end).max()
}

/// Returns the time until which the store can change `item` freely; `None` if it does not wait for
/// the end of the cooling-off window, or if the window has no end because print files are missing.
pub fn editable_until(state: &OrderState, item: &ItemState) -> Option<Timestamp> {
    if item.is_waiting() {
        window_of_all(state)
    } else {
        None
    }
}

/// Returns the earliest end of a hold or of the cooling-off window; `None` without an end.
pub fn due_at(state: &OrderState) -> Option<Timestamp> {
    let holds = state.items.iter().filter_map(|item| item.hold_until);
    holds.chain(window_of_all(state)).min()
}
