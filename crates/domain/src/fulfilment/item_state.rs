//! State of an item: its status, and other values that change after the order is placed, apart from
//! the content that the store sent.

use super::holder::Holder;
use super::status::{ItemStatus, Position, Stage};
use crate::value::{ItemId, ServiceOrderId, Timestamp};

/// Status of an item, and other values that change after the order is placed. The content of the
/// item is a [`LineItem`](crate::order::LineItem).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct ItemState {
    /// The service's id of the item, equal to its [`LineItem::id`](crate::order::LineItem::id).
    pub id: ItemId,
    /// Number of the item in the order, starting at 1. The item's code ends with it.
    pub number: u32,
    /// Progress of the item or, while suspended, the reason: a requested change, a need or a hold.
    pub status: ItemStatus,
    /// Status that a suspended item returns to; `None` unless [`ItemStatus::is_suspended`].
    pub returns_to: Option<ItemStatus>,
    /// The party that put the item on hold; `None` unless the item is on hold.
    pub held_by: Option<Holder>,
    /// Time at which the hold ends by itself; `None` without a hold, or if the hold has no end.
    pub hold_until: Option<Timestamp>,
    /// Number of units in shipments that are not void. Derived from the shipments.
    pub shipped_quantity: u32,
    /// Time at which the item was ready for the first time; `None` until then.
    pub ready_at: Option<Timestamp>,
    /// End of the item's cooling-off window; `None` while print files are missing.
    pub window_end: Option<Timestamp>,
    /// Milliseconds by which fast-forwarding the clock of a test store has moved `window_end` and
    /// `hold_until` to earlier times since the order's latest event.
    #[cfg_attr(feature = "serde", serde(default))]
    pub advanced_millis: i64,
}

impl ItemState {
    /// Returns `status` and `returns_to`.
    pub fn position(&self) -> Position {
        Position {
            status: self.status,
            returns_to: self.returns_to,
        }
    }

    /// Returns the stage of the item; a suspended item has the stage of the status it returns to.
    pub fn stage(&self) -> Stage {
        self.position().stage()
    }

    /// Returns whether the item is early and not suspended. Waiting items become ready together.
    pub fn is_waiting(&self) -> bool {
        self.stage() == Stage::Early && !self.status.is_suspended()
    }

    /// Returns the item's code in the order `order`: `<service order id>-<number>`.
    pub fn code(&self, order: &ServiceOrderId) -> String {
        format!("{order}-{}", self.number)
    }

    /// Moves `window_end` and `hold_until` by `millis` to the past, and adds `millis` to
    /// `advanced_millis`. Creates no event: the order's next event records the sum.
    pub fn fast_forward(&mut self, millis: i64) {
        // An item without an end has nothing to fast-forward, so nothing must be recorded.
        if self.window_end.or(self.hold_until).is_some() {
            self.advanced_millis += millis;
            self.move_ends(-millis);
        }
    }

    pub(super) fn undo_advance(&mut self) {
        let millis = std::mem::take(&mut self.advanced_millis);
        self.move_ends(millis);
    }

    fn move_ends(&mut self, millis: i64) {
        for end in [&mut self.window_end, &mut self.hold_until] {
            *end = end.map(|end| end.plus_millis(millis));
        }
    }

    /// Sets `ready_at` if the item is ready for the first time, and `returns_to` to the last status
    /// before a suspension. Removes holder and end of a hold if the item leaves `on-hold`.
    pub(super) fn go(&mut self, to: ItemStatus, now: Timestamp) {
        self.returns_to = to.is_suspended().then(|| self.position().base());
        if to != ItemStatus::OnHold {
            self.held_by = None;
            self.hold_until = None;
        }
        if to == ItemStatus::Ready {
            self.ready_at.get_or_insert(now);
        }
        self.status = to;
    }
}
