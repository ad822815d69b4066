//! State of an order: values that change after the order is placed, apart from its content.

use super::item_state::ItemState;
use super::pending::{Need, RequestedItem};
use super::status::{ItemStatus, Stage};
use crate::event::PendingChange;
use crate::value::{ItemId, ServiceOrderId, Timestamp};

/// Values that change after an order is placed, such as its version and the statuses of its items.
/// The databases store them apart from the content, so that a command need not rewrite the content.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct OrderState {
    /// Version of the order: 1 at creation, increased by 1 with every change.
    pub version: u32,
    /// Time of the latest change.
    pub updated_at: Timestamp,
    /// Sequence of the latest event among the store's events; 0 before the order is stored.
    pub last_sequence: u64,
    /// Time at which the service must process the order next, see [`due_at`](super::due_at).
    pub due_at: Option<Timestamp>,
    /// Length of the store's cooling-off window when the order was placed, in seconds.
    pub cooling_off_seconds: u32,
    /// Number of items that the order ever had: [`ItemState::number`] of the latest added item.
    pub item_count: u32,
    /// Change that the store has requested; `None` if no change waits for a decision.
    pub pending: Option<PendingChange>,
    /// Questions of the print shop that are not resolved yet, oldest first.
    pub needs: Vec<Need>,
    /// Number of the order that this order replaces; `None` if it is not a replacement.
    pub replaces: Option<ServiceOrderId>,
    /// Numbers of the orders that replace this order, oldest first.
    pub replaced_by: Vec<ServiceOrderId>,
    /// State of each item, in the sequence of the items in the order's content.
    pub items: Vec<ItemState>,
}

impl OrderState {
    /// Returns the statuses of the items without repetitions, in the sequence of the items.
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

    /// Returns the state of the item `id`; `None` if the order does not have it.
    pub fn item(&self, id: ItemId) -> Option<&ItemState> {
        self.items.iter().find(|item| item.id == id)
    }

    pub(crate) fn item_mut(&mut self, id: ItemId) -> Option<&mut ItemState> {
        self.items.iter_mut().find(|item| item.id == id)
    }

    /// Returns the item `id` as it was before the pending change; `None` if it does not wait.
    pub fn asked(&self, id: ItemId) -> Option<&RequestedItem> {
        let pending = self.pending.as_ref()?;
        pending.asked.iter().find(|asked| asked.id == id)
    }

    /// Returns the newest need of the item `id`; `None` if it has no need.
    pub fn need_of(&self, id: ItemId) -> Option<&Need> {
        let mut newest = self.needs.iter().rev();
        newest.find(|need| need.items.contains(&id))
    }

    pub(super) fn end_needs(&mut self, id: ItemId) {
        self.end_needs_if(id, |_| true);
    }

    pub(super) fn end_questions(&mut self, id: ItemId) {
        self.end_needs_if(id, |need| need.change.is_some());
    }

    fn end_needs_if(&mut self, id: ItemId, ends: impl Fn(&Need) -> bool) {
        for need in self.needs.iter_mut().filter(|need| ends(need)) {
            need.items.retain(|item| *item != id);
        }
        self.needs.retain(|need| !need.items.is_empty());
    }

    /// Removes the items `ids` from needs and the pending change. A change without items ends.
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

    /// Returns `true` if every item has the stage [`Stage::Early`] or is cancelled.
    pub fn is_early(&self) -> bool {
        let mut items = self.items.iter();
        items.all(|item| item.stage() == Stage::Early || item.status == ItemStatus::Cancelled)
    }

    /// Returns `true` if all items are cancelled.
    pub fn is_cancelled(&self) -> bool {
        let mut items = self.items.iter();
        items.all(|item| item.status == ItemStatus::Cancelled)
    }
}
