//! An order as it is at one moment: its content and everything that moves.

use std::borrow::Cow;
use std::sync::Arc;

use super::item_state::ItemState;
use super::shipment::{Arrivals, Shipment};
use super::state::OrderState;
use super::status::{ItemStatus, Stage};
use super::window::due_at;
use crate::checked::{Checked, Rules, rules_broken};
use crate::id::{ItemId, ServiceOrderId};
use crate::money::MoneyError;
use crate::order::{InvalidOrder, LineItem, OrderParts, check, shown_order_id};
use crate::pricing::corrections::{CorrectedBill, Correction};
#[cfg(feature = "memory")]
use crate::time::Timestamp;
use pressline_kit::words::WordSet;

/// An order as it is at one moment.
pub type Snapshot = Checked<SnapshotParts>;

/// Everything that a [`Snapshot`] is made of.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct SnapshotParts {
    /// The order number as people read it.
    pub service_order_id: ServiceOrderId,
    /// The content. Shared, because most changes leave it as it is.
    #[cfg_attr(feature = "serde", serde(flatten, with = "crate::serde::shared"))]
    pub content: Arc<OrderParts>,
    /// What moves.
    pub state: OrderState,
    /// The shipments, oldest first, void ones too.
    pub shipments: Vec<Shipment>,
    /// The fee lines that operators added, oldest first.
    pub corrections: Vec<Correction>,
}

/// A rule that parts of a snapshot break.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BrokenSnapshot {
    /// The items of content and state differ.
    #[error("content and state have different items")]
    Items,
    /// An item's status, the status it returns to, and its holder do not fit together.
    #[error("an item cannot be in the status it is in")]
    Position,
    /// An item is in need-action, and nothing is needed for it.
    #[error("an item is in need-action without a need")]
    Need,
    /// An item waits for a decision, and no change is pending for it.
    #[error("an item is in request-change without a pending change")]
    Pending,
    /// Shipments hold more units than an item has.
    #[error("shipments hold more units than an item has")]
    Units,
    /// The content breaks a rule of orders.
    #[error(transparent)]
    Content(InvalidOrder),
    /// The number is not positive.
    #[error("an order's number is positive")]
    Number,
    /// The fees are out of range.
    #[error("the fees are out of range")]
    Fees,
}

impl Rules for SnapshotParts {
    type Broken = BrokenSnapshot;

    fn broken(&self) -> Vec<BrokenSnapshot> {
        let items = &self.state.items;
        let any = |is_wrong: &dyn Fn(&ItemState) -> bool| items.iter().any(is_wrong);
        let in_content = self.content.items.iter().map(|item| item.id);
        let is_held = |item: &ItemState| item.status == ItemStatus::OnHold;
        let mut broken = rules_broken([
            (
                !in_content.eq(items.iter().map(|item| item.id)),
                BrokenSnapshot::Items,
            ),
            (
                any(&|item| !item.position().is_valid() || item.held_by.is_some() != is_held(item)),
                BrokenSnapshot::Position,
            ),
            (
                any(&|item| {
                    item.status == ItemStatus::NeedAction && self.state.need_of(item.id).is_none()
                }),
                BrokenSnapshot::Need,
            ),
            (
                any(&|item| {
                    item.status == ItemStatus::RequestChange && self.state.asked(item.id).is_none()
                }),
                BrokenSnapshot::Pending,
            ),
            (any(&|item| !self.units_fit(item)), BrokenSnapshot::Units),
            (self.service_order_id.number < 1, BrokenSnapshot::Number),
            // A bill without further lines is in range.
            (
                !self.corrections.is_empty() && self.bill().is_err(),
                BrokenSnapshot::Fees,
            ),
        ]);
        broken.extend(check(&self.content).err().map(BrokenSnapshot::Content));
        broken
    }
}

impl SnapshotParts {
    fn units_fit(&self, item: &ItemState) -> bool {
        let quantity = self.line(item.id).map_or(0, |line| line.quantity);
        item.shipped_quantity == self.shipped(item.id) && item.shipped_quantity <= quantity
    }

    /// Returns the content of an item.
    pub fn line(&self, id: ItemId) -> Option<&LineItem> {
        self.content.items.iter().find(|item| item.id == id)
    }

    /// Returns the number of an item's units in shipments that are not void.
    pub fn shipped(&self, id: ItemId) -> u32 {
        let shipments = self.shipments.iter().filter(|shipment| shipment.counts());
        shipments.map(|shipment| shipment.units_of(id)).sum()
    }

    /// Returns the number of an item's units that are not shipped.
    pub fn unshipped(&self, id: ItemId) -> u32 {
        let quantity = self.line(id).map_or(0, |line| line.quantity);
        quantity.saturating_sub(self.shipped(id))
    }

    /// Returns what became of the shipments with units of an item.
    pub fn arrivals(&self, id: ItemId) -> Arrivals {
        let shipments = self.shipments.iter();
        Arrivals::new(shipments.filter(|shipment| shipment.units_of(id) > 0))
    }

    /// Returns the order with the shipped quantities that follow from its shipments.
    #[must_use]
    pub fn with_shipped_units(mut self) -> Self {
        self.settle_shipped();
        self
    }

    fn settle_shipped(&mut self) {
        let items = self.state.items.iter();
        let shipped: Vec<u32> = items.map(|item| self.shipped(item.id)).collect();
        for (item, shipped) in self.state.items.iter_mut().zip(shipped) {
            item.shipped_quantity = shipped;
        }
    }

    /// Returns whether the clock of a test store has brought ends nearer since the latest event.
    pub(crate) fn is_advanced(&self) -> bool {
        let mut items = self.state.items.iter();
        items.any(|item| item.advanced_millis != 0)
    }

    /// Gives the order the ends of windows and holds that it had right after its latest event.
    pub(crate) fn undo_advance(&mut self) {
        if self.is_advanced() {
            let items = self.state.items.iter_mut();
            items.for_each(ItemState::undo_advance);
            self.state.due_at = due_at(&self.state);
        }
    }

    /// Sets what follows from other values: shipped quantities, and when the order is due.
    pub(crate) fn settle_derived(&mut self) {
        self.settle_shipped();
        self.state.due_at = due_at(&self.state);
    }

    /// Returns the items that pricing counts: those that are not cancelled.
    pub fn priced_items(&self) -> impl Iterator<Item = &LineItem> {
        let pairs = self.content.items.iter().zip(&self.state.items);
        let kept = pairs.filter(|(_, state)| state.status != ItemStatus::Cancelled);
        kept.map(|(line, _)| line)
    }

    /// Returns the fees with the lines of operators.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] where the total does not fit.
    pub fn bill(&self) -> Result<CorrectedBill<'_>, MoneyError> {
        CorrectedBill::new(&self.content.bill, &self.corrections)
    }

    /// True where every cost that belongs into the total is known. A wholly cancelled order costs
    /// nothing.
    pub fn is_priced(&self) -> bool {
        self.state.is_cancelled() || self.content.is_priced()
    }

    /// True of an order that replaces another one free of charge: it stays free when it changes.
    pub fn is_free(&self) -> bool {
        let bill = &self.content.bill;
        self.state.replaces.is_some() && bill.lines().is_empty() && self.content.is_priced()
    }

    /// Returns the order id by which callers know the order: of one that no store has sent, the
    /// service order id.
    pub fn shown_order_id(&self) -> Cow<'_, str> {
        let content = &self.content;
        shown_order_id(content.source, &content.order_id, &self.service_order_id)
    }

    /// Returns the items whose stage the store can no longer change.
    pub fn done_items(&self) -> Vec<ItemId> {
        self.state.ids_of(|item| item.stage() == Stage::Done)
    }
}

impl Snapshot {
    /// Returns the content.
    pub fn parts(&self) -> &OrderParts {
        &self.content
    }

    /// Returns the order whose latest event has this sequence, which its store's counter gave it.
    pub fn with_sequence(&self, sequence: u64) -> Self {
        let mut parts = SnapshotParts::clone(self);
        parts.state.last_sequence = sequence;
        // No rule is about sequences.
        Self::constant(parts)
    }

    #[cfg(feature = "memory")]
    pub(crate) fn with_due_at(&self, due_at: Timestamp) -> Self {
        let mut parts = SnapshotParts::clone(self);
        parts.state.due_at = Some(due_at);
        // No rule is about due times.
        Self::constant(parts)
    }

    /// Returns the order as it was right after its latest event: the clock of a test store may have
    /// brought ends of windows and holds nearer since.
    pub fn after_latest_event(&self) -> Cow<'_, Self> {
        if !self.is_advanced() {
            return Cow::Borrowed(self);
        }
        let mut parts = SnapshotParts::clone(self);
        parts.undo_advance();
        // No rule is about the ends of windows and holds.
        Cow::Owned(Self::constant(parts))
    }

    #[cfg(feature = "memory")]
    pub(crate) fn fast_forward(&self, millis: i64) -> Self {
        let mut parts = SnapshotParts::clone(self);
        for item in &mut parts.state.items {
            item.fast_forward(millis);
        }
        parts.state.due_at = parts.state.due_at.map(|due| due.plus_millis(-millis));
        // No rule is about these times.
        Self::constant(parts)
    }

    /// Returns the words by which a search finds the order, folded, distinct and sorted.
    pub fn words(&self) -> WordSet {
        let mut words = self.content.word_set();
        words.text(&self.service_order_id.to_string());
        words.reduced()
    }
}
