//! What moves of an item.

use super::holder::Holder;
use super::status::{ItemStatus, Position, Stage};
use crate::id::{ItemId, ServiceOrderId};
use crate::time::Timestamp;

/// What moves of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct ItemState {
    /// The item.
    pub id: ItemId,
    /// Number of its code, from 1.
    pub number: u32,
    /// The status.
    pub status: ItemStatus,
    /// The status that it returns to; `None` unless it is aside.
    pub returns_to: Option<ItemStatus>,
    /// Who holds it; `None` unless it is on hold.
    pub held_by: Option<Holder>,
    /// When its hold ends by itself.
    pub hold_until: Option<Timestamp>,
    /// Units in shipments that are not void. Follows from the shipments.
    pub shipped_quantity: u32,
    /// When it was ready for the first time.
    pub ready_at: Option<Timestamp>,
    /// When its window ends; `None` while it has never been complete, or is incomplete again.
    pub window_end: Option<Timestamp>,
    /// By how many milliseconds the clock of a test store has brought the ends of its window and hold
    /// nearer since the order's latest event.
    #[cfg_attr(feature = "serde", serde(default))]
    pub advanced_millis: i64,
}

impl ItemState {
    /// Returns the status and what the item returns to.
    pub fn position(&self) -> Position {
        Position {
            status: self.status,
            returns_to: self.returns_to,
        }
    }

    /// Returns how far the item has come.
    pub fn stage(&self) -> Stage {
        self.position().stage()
    }

    /// True of an item that falls due together with the others: early and not aside.
    pub fn is_waiting(&self) -> bool {
        self.stage() == Stage::Early && !self.status.is_suspended()
    }

    /// Returns the item's code: `<service order id>-<number>`.
    pub fn code(&self, order: &ServiceOrderId) -> String {
        format!("{order}-{}", self.number)
    }

    /// Brings the ends of the item's window and hold nearer by `millis`, without an event. The order's
    /// next event records it.
    pub fn fast_forward(&mut self, millis: i64) {
        if self.window_end.or(self.hold_until).is_some() {
            self.advanced_millis += millis;
            self.move_ends(-millis);
        }
    }

    /// Gives the item the ends that it had right after the order's latest event.
    pub(super) fn undo_advance(&mut self) {
        let millis = std::mem::take(&mut self.advanced_millis);
        self.move_ends(millis);
    }

    fn move_ends(&mut self, millis: i64) {
        for end in [&mut self.window_end, &mut self.hold_until] {
            *end = end.map(|end| end.plus_millis(millis));
        }
    }

    /// Moves the item. An item that goes aside remembers where it came from, also when it was aside
    /// already; one that leaves a hold has no holder.
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
