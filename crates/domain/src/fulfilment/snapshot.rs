//! Snapshots: an order at one time, with content, state, shipments and operators' fee lines.

use std::borrow::Cow;
use std::sync::Arc;

use super::item_state::ItemState;
use super::shipment::{Arrivals, Shipment, ShipmentKey};
use super::state::OrderState;
use super::status::{ItemStatus, Stage};
use super::window::due_at;
use crate::check::checked::{Checked, Rules, rules_broken};
use crate::order::{InvalidOrder, LineItem, OrderParts, check, shown_order_id};
use crate::pricing::corrections::{CorrectedBill, Correction};
#[cfg(feature = "memory")]
use crate::value::Timestamp;
use crate::value::{ItemId, MoneyError, ServiceOrderId};
use pressline_kit::words::WordSet;

/// An order at one time. Its parts break none of the rules in [`BrokenSnapshot`].
pub type Snapshot = Checked<SnapshotParts>;

/// Parts of an order at one time, not checked yet. [`Snapshot`] is the checked form.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct SnapshotParts {
    /// Order number for people, such as `SUN-12`.
    pub service_order_id: ServiceOrderId,
    /// Content of the order. Shared, because most changes do not touch it.
    #[cfg_attr(feature = "serde", serde(flatten, with = "shared"))]
    pub content: Arc<OrderParts>,
    /// Values that change after the order is placed, such as the statuses of its items.
    pub state: OrderState,
    /// Shipments, oldest first, void shipments included.
    pub shipments: Vec<Shipment>,
    /// Fee lines that operators added, oldest first.
    pub corrections: Vec<Correction>,
}

/// A broken rule for the [`SnapshotParts`] of an order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BrokenSnapshot {
    /// `content` and `state` list different items, or the same items in another sequence.
    #[error("content and state have different items")]
    Items,
    /// An item's `status`, `returns_to` and `held_by` contradict each other.
    #[error("an item cannot be in the status it is in")]
    Position,
    /// An item is in `need-action` without a need.
    #[error("an item is in need-action without a need")]
    Need,
    /// An item is in `request-change` without a pending change.
    #[error("an item is in request-change without a pending change")]
    Pending,
    /// Shipments contain more units than an item has, or differ from `shipped_quantity`.
    #[error("shipments hold more units than an item has")]
    Units,
    /// `content` breaks a rule of orders.
    #[error(transparent)]
    Content(InvalidOrder),
    /// The number in `service_order_id` is not positive.
    #[error("an order's number must be positive")]
    Number,
    /// A fee or the total is out of range after `corrections` are added.
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
            // Without operators' fee lines, the total is in range like that of any `Bill`.
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

    /// Returns the content of the item `id`; `None` if the order does not have it.
    pub fn line(&self, id: ItemId) -> Option<&LineItem> {
        self.content.items.iter().find(|item| item.id == id)
    }

    /// Returns the number of units of the item `id` in shipments that are not void.
    pub fn shipped(&self, id: ItemId) -> u32 {
        let shipments = self.shipments.iter().filter(|shipment| shipment.counts());
        shipments.map(|shipment| shipment.units_of(id)).sum()
    }

    /// Returns the number of units of the item `id` that are not shipped.
    pub fn unshipped(&self, id: ItemId) -> u32 {
        let quantity = self.line(id).map_or(0, |line| line.quantity);
        quantity.saturating_sub(self.shipped(id))
    }

    pub(super) fn named_by(&self, key: ShipmentKey<'_>) -> impl Iterator<Item = &Shipment> {
        let shipments = self.shipments.iter();
        shipments.filter(move |shipment| shipment.counts() && key.names(shipment))
    }

    pub(super) fn arrivals(&self, id: ItemId) -> Arrivals {
        let shipments = self.shipments.iter();
        Arrivals::new(shipments.filter(|shipment| shipment.units_of(id) > 0))
    }

    /// Returns the order with `shipped_quantity` of all items derived from the shipments.
    #[must_use]
    pub fn with_shipped_units(mut self) -> Self {
        self.update_shipped();
        self
    }

    fn update_shipped(&mut self) {
        let items = self.state.items.iter();
        let shipped: Vec<u32> = items.map(|item| self.shipped(item.id)).collect();
        for (item, shipped) in self.state.items.iter_mut().zip(shipped) {
            item.shipped_quantity = shipped;
        }
    }

    /// Returns `true` if the clock of a test store was fast-forwarded since the latest event.
    pub(crate) fn is_advanced(&self) -> bool {
        let mut items = self.state.items.iter();
        items.any(|item| item.advanced_millis != 0)
    }

    pub(crate) fn undo_advance(&mut self) {
        if self.is_advanced() {
            let items = self.state.items.iter_mut();
            items.for_each(ItemState::undo_advance);
            self.state.due_at = due_at(&self.state);
        }
    }

    pub(crate) fn update_derived(&mut self) {
        self.update_shipped();
        self.state.due_at = due_at(&self.state);
    }

    /// Returns the content of the items to price, which are all items except `cancelled` items.
    pub fn priced_items(&self) -> impl Iterator<Item = &LineItem> {
        // Content and state list the same items in the same order.
        let pairs = self.content.items.iter().zip(&self.state.items);
        pairs
            .filter(|(_, state)| state.status != ItemStatus::Cancelled)
            .map(|(line, _)| line)
    }

    /// Returns the fees of the order, including operators' fee lines.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] if the total is out of range.
    pub fn bill(&self) -> Result<CorrectedBill<'_>, MoneyError> {
        CorrectedBill::new(&self.content.bill, &self.corrections)
    }

    /// Returns whether every fee in the total is known, or all items are cancelled.
    pub fn is_priced(&self) -> bool {
        self.state.is_cancelled() || self.content.is_priced()
    }

    /// Returns whether the order is a free replacement, which stays free when it changes.
    pub(crate) fn is_free(&self) -> bool {
        // In a free order all fees are known, although it has no fee lines.
        let bill = &self.content.bill;
        self.state.replaces.is_some() && bill.lines().is_empty() && self.content.is_priced()
    }

    /// Returns the store's order id, or `service_order_id` if no store sent the order.
    pub fn shown_order_id(&self) -> Cow<'_, str> {
        let content = &self.content;
        shown_order_id(content.source, &content.order_id, &self.service_order_id)
    }

    pub(super) fn done_items(&self) -> Vec<ItemId> {
        self.state.ids_of(|item| item.stage() == Stage::Done)
    }
}

impl Snapshot {
    /// Returns the content of the order: the caller's values and the results of pricing.
    pub fn parts(&self) -> &OrderParts {
        &self.content
    }

    /// Returns a copy with `sequence`, from the store's event counter, as the latest sequence.
    pub fn with_sequence(&self, sequence: u64) -> Self {
        let mut parts = SnapshotParts::clone(self);
        parts.state.last_sequence = sequence;
        // No rule depends on sequences.
        Self::constant(parts)
    }

    #[cfg(feature = "memory")]
    pub(crate) fn with_due_at(&self, due_at: Timestamp) -> Self {
        let mut parts = SnapshotParts::clone(self);
        parts.state.due_at = Some(due_at);
        // No rule depends on due times.
        Self::constant(parts)
    }

    /// Returns the order right after its latest event, without later fast-forwarding of the clock.
    pub fn after_latest_event(&self) -> Cow<'_, Self> {
        if !self.is_advanced() {
            return Cow::Borrowed(self);
        }
        let mut parts = SnapshotParts::clone(self);
        parts.undo_advance();
        // No rule depends on the ends of windows and holds.
        Cow::Owned(Self::constant(parts))
    }

    #[cfg(feature = "memory")]
    pub(crate) fn skip_versions(&self, versions: u32) -> Self {
        let mut parts = SnapshotParts::clone(self);
        parts.state.version = parts.state.version.saturating_add(versions);
        // No rule depends on the version.
        Self::constant(parts)
    }

    #[cfg(feature = "memory")]
    pub(crate) fn fast_forward(&self, millis: i64) -> Self {
        let mut parts = SnapshotParts::clone(self);
        for item in &mut parts.state.items {
            item.fast_forward(millis);
        }
        parts.state.due_at = parts.state.due_at.map(|due| due.plus_millis(-millis));
        // No rule depends on `due_at` or on the times of items.
        Self::constant(parts)
    }

    /// Returns the order's search words, without case and accents, distinct and sorted.
    pub fn words(&self) -> WordSet {
        let mut words = self.content.word_set();
        words.text(&self.service_order_id.to_string());
        words.reduced()
    }
}

// `serde` supports `Arc` only with its feature `rc`.
#[cfg(feature = "serde")]
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        value: &Arc<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        T::serialize(value, serializer)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<T>, D::Error> {
        T::deserialize(deserializer).map(Arc::new)
    }
}
