//! An order as it is at one moment: its content and everything that moves.

use std::sync::Arc;

use super::shipment::{Arrivals, Shipment};
use super::state::{ItemState, OrderState};
use super::status::{ItemStatus, Stage};
use super::window::due_at;
use crate::checked::{Checked, Rules, rules_broken};
use crate::id::{ItemId, ServiceOrderId};
use crate::money::MoneyError;
use crate::order::{InvalidOrder, LineItem, Order, OrderParts};
use crate::pricing::corrections::{Correction, ShownBill};

/// An order as it is at one moment.
pub type Snapshot = Checked<SnapshotParts>;

/// Everything that a [`Snapshot`] is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct SnapshotParts {
    /// The order number as people read it.
    pub service_order_id: ServiceOrderId,
    /// The content. Shared, because most changes leave it as it is. Version, time of change and
    /// statuses are those of a new order here; [`OrderState`] has the present ones.
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
    /// The content has a version, a time of change or statuses of its own.
    #[error("the content contains state")]
    Content,
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
        rules_broken([
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
            (self.content_has_state(), BrokenSnapshot::Content),
            (self.bill().is_err(), BrokenSnapshot::Fees),
        ])
    }
}

impl SnapshotParts {
    /// Separates an order from its state: the content of a snapshot is that of a new order.
    #[must_use]
    pub fn content_of(mut parts: OrderParts) -> Arc<OrderParts> {
        parts.version = 1;
        parts.updated_at = parts.created_at();
        for item in &mut parts.items {
            item.status = None;
        }
        Arc::new(parts)
    }

    fn content_has_state(&self) -> bool {
        self.content.version != 1
            || self.content.updated_at != self.content.created_at()
            || self.content.items.iter().any(|item| item.status.is_some())
    }

    fn units_fit(&self, item: &ItemState) -> bool {
        let quantity = self.line(item.id).map_or(0, |line| line.quantity);
        item.shipped_quantity == self.shipped(item.id) && item.shipped_quantity <= quantity
    }

    /// Returns the content of an item.
    #[must_use]
    pub fn line(&self, id: ItemId) -> Option<&LineItem> {
        self.content.items.iter().find(|item| item.id == id)
    }

    /// Returns the number of an item's units in shipments that are not void.
    #[must_use]
    pub fn shipped(&self, id: ItemId) -> u32 {
        let shipments = self.shipments.iter().filter(|shipment| shipment.counts());
        shipments.map(|shipment| shipment.units_of(id)).sum()
    }

    /// Returns the number of an item's units that are not shipped.
    #[must_use]
    pub fn unshipped(&self, id: ItemId) -> u32 {
        let quantity = self.line(id).map_or(0, |line| line.quantity);
        quantity.saturating_sub(self.shipped(id))
    }

    /// Returns what became of the shipments with units of an item.
    #[must_use]
    pub fn arrivals(&self, id: ItemId) -> Arrivals {
        let shipments = self.shipments.iter();
        Arrivals::of(shipments.filter(|shipment| shipment.units_of(id) > 0))
    }

    /// Sets what follows from other values: shipped quantities, and when the order is due.
    pub(crate) fn settle_derived(&mut self) {
        let shipped: Vec<u32> = self
            .state
            .items
            .iter()
            .map(|item| self.shipped(item.id))
            .collect();
        for (item, shipped) in self.state.items.iter_mut().zip(shipped) {
            item.shipped_quantity = shipped;
        }
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
    pub fn bill(&self) -> Result<ShownBill<'_>, MoneyError> {
        ShownBill::new(&self.content.bill, &self.corrections)
    }

    /// True where every cost that belongs into the total is known. A wholly cancelled order costs
    /// nothing.
    #[must_use]
    pub fn is_priced(&self) -> bool {
        self.state.is_cancelled() || self.content.is_priced()
    }

    /// Returns the items whose stage the store can no longer change.
    #[must_use]
    pub fn done_items(&self) -> Vec<ItemId> {
        let items = self.state.items.iter();
        let done = items.filter(|item| item.stage() == Stage::Done);
        done.map(|item| item.id).collect()
    }
}

impl Snapshot {
    /// Returns the order with the version, the time of change and the statuses that it has now.
    ///
    /// # Errors
    /// [`InvalidOrder`] says which rule of orders the content breaks.
    pub fn order(&self) -> Result<Order, InvalidOrder> {
        let mut parts = OrderParts::clone(&self.content);
        parts.version = self.state.version;
        parts.updated_at = self.state.updated_at;
        for (item, state) in parts.items.iter_mut().zip(&self.state.items) {
            item.status = Some(state.status);
        }
        Order::restore(parts, self.service_order_id.clone())
    }
}
