//! What moves of an order, apart from its content.

use super::item_state::ItemState;
use super::pending::{Need, RequestedItem};
use super::status::{ItemStatus, Stage};
use crate::event::PendingChange;
use crate::id::{ItemId, ServiceOrderId};
use crate::time::Timestamp;

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
    pub fn asked(&self, id: ItemId) -> Option<&RequestedItem> {
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
