//! What moves of an order, apart from its content.

use super::pending::{AskedItem, Need, PendingChange};
use super::status::{ItemStatus, Position, Stage};
use crate::id::{ItemId, ServiceOrderId};
use crate::time::Timestamp;

named! {
    /// Who holds an item.
    pub enum Holder {
        /// The store, also where the shop approved the hold that the store had asked for.
        Store = "store",
        /// An operator.
        Operator = "operator",
    }
}

/// What moves of an order. Stores keep it in rows of its own, so that a move does not rewrite the
/// order's content.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct OrderState {
    /// 1 at creation, one more with every change.
    pub version: u32,
    /// When the latest change was made.
    pub updated_at: Timestamp,
    /// Sequence of the order's latest event in its store; 0 until that event is stored.
    pub last_sequence: u64,
    /// When the service must next look at the order; `None` if nothing of it falls due. Follows
    /// from the items, see [`due_at`](super::due_at).
    pub due_at: Option<Timestamp>,
    /// The store's window when the order was placed, in seconds.
    pub cooling_off_seconds: u32,
    /// Number of items that the order has ever had. The next item's code has the number after it.
    pub item_count: u32,
    /// The change that the store has asked for and the shop has not decided.
    pub pending: Option<PendingChange>,
    /// What the shop needs from the store, oldest first.
    pub needs: Vec<Need>,
    /// The order that this one replaces.
    pub replaces: Option<ServiceOrderId>,
    /// The orders that replace this one, oldest first.
    pub replaced_by: Vec<ServiceOrderId>,
    /// The state of each item, in the order of the items.
    pub items: Vec<ItemState>,
}

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
        self.stage() == Stage::Early && !self.status.is_aside()
    }

    /// Returns the item's code: `<service order id>-<number>`.
    pub fn code(&self, order: &ServiceOrderId) -> String {
        format!("{order}-{}", self.number)
    }

    /// Brings the ends of the item's window and hold nearer by `millis`, without an event. The order's
    /// next event records it.
    pub fn bring_nearer(&mut self, millis: i64) {
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
        self.returns_to = to.is_aside().then(|| self.position().base());
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

impl OrderState {
    /// Returns the distinct statuses of the items, in the order of the items.
    pub fn item_statuses(&self) -> Vec<ItemStatus> {
        let mut distinct = Vec::new();
        for item in &self.items {
            if !distinct.contains(&item.status) {
                distinct.push(item.status);
            }
        }
        distinct
    }

    pub(crate) fn ids_of(&self, is_wanted: impl Fn(&ItemState) -> bool) -> Vec<ItemId> {
        let items = self.items.iter().filter(|item| is_wanted(item));
        items.map(|item| item.id).collect()
    }

    pub(super) fn is_at_work(&self, id: ItemId) -> bool {
        self.item(id)
            .is_some_and(|item| item.stage() == Stage::AtWork)
    }

    /// Returns the state of an item.
    pub fn item(&self, id: ItemId) -> Option<&ItemState> {
        self.items.iter().find(|item| item.id == id)
    }

    pub(crate) fn item_mut(&mut self, id: ItemId) -> Option<&mut ItemState> {
        self.items.iter_mut().find(|item| item.id == id)
    }

    /// Returns what was asked for an item with the pending change.
    pub fn asked(&self, id: ItemId) -> Option<&AskedItem> {
        let pending = self.pending.as_ref()?;
        pending.asked.iter().find(|asked| asked.id == id)
    }

    /// Returns the newest need of an item.
    pub fn need_of(&self, id: ItemId) -> Option<&Need> {
        let mut newest = self.needs.iter().rev();
        newest.find(|need| need.items.contains(&id))
    }

    pub(super) fn end_needs(&mut self, id: ItemId) {
        self.end_needs_if(id, |_| true);
    }

    /// Removes what was asked back about the pending change, for one item.
    pub(super) fn end_questions(&mut self, id: ItemId) {
        self.end_needs_if(id, |need| need.change.is_some());
    }

    fn end_needs_if(&mut self, id: ItemId, ends: impl Fn(&Need) -> bool) {
        for need in self.needs.iter_mut().filter(|need| ends(need)) {
            need.items.retain(|item| *item != id);
        }
        self.needs.retain(|need| !need.items.is_empty());
    }

    /// Forgets items that are cancelled or removed: nothing is needed for them, and a pending
    /// change of which no item remains is gone.
    pub(super) fn forget(&mut self, ids: &[ItemId]) {
        for id in ids {
            self.end_needs(*id);
        }
        if let Some(pending) = &mut self.pending {
            pending.items.retain(|id| !ids.contains(id));
            pending.asked.retain(|asked| !ids.contains(&asked.id));
            if pending.items.is_empty() {
                self.pending = None;
            }
        }
    }

    /// True while no item has left the first stage, apart from cancelled ones.
    pub fn is_early(&self) -> bool {
        let mut items = self.items.iter();
        items.all(|item| item.stage() == Stage::Early || item.status == ItemStatus::Cancelled)
    }

    /// True where all items are cancelled.
    pub fn is_cancelled(&self) -> bool {
        let mut items = self.items.iter();
        items.all(|item| item.status == ItemStatus::Cancelled)
    }
}
