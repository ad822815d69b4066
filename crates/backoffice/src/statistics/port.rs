//! Port that reads placed orders, in the form that statistics need.

use async_trait::async_trait;

use crate::production::{ItemProgress, ItemRef};
use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::{ItemState, ItemStatus, Shipment};
use pressline_domain::order::{Order, OrderKind};
use pressline_domain::pricing::corrections::Correction;
use pressline_domain::pricing::fees::Bill;
use pressline_domain::value::{
    Amount, Currency, ItemId, OrderId, ServiceOrderId, StoreId, Timestamp,
};

/// Request for the first orders of a store within a range of order ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedRange {
    /// Store of the orders.
    pub store: StoreId,
    /// Lowest order id, inclusive.
    pub from: OrderId,
    /// Upper bound of the order ids, exclusive.
    pub before: OrderId,
    /// Maximum number of orders to return.
    pub count: u32,
}

/// Reads placed orders for statistics. Only reports of operators call it, never requests of stores.
#[async_trait]
pub trait PlacedOrders: Send + Sync {
    /// Returns the first orders of `range`, in ascending order of their ids.
    ///
    /// They MUST be exactly the first orders of the store within the range
    /// (`placed_orders_are_those_of_the_range`). Each MUST be as it is stored, with its
    /// corrections, and with the shipments and the progress of its items
    /// (`placed_orders_are_read_as_they_are_stored`).
    async fn placed(&self, range: &PlacedRange) -> Result<Vec<PlacedOrder>, RepositoryError>;
}

/// Data of an [`Order`] for statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedOrder {
    /// Store that placed the order.
    pub store: StoreId,
    /// Internal id of the order, which contains its creation time.
    pub id: OrderId,
    /// Service order id, such as `DEMO-17`.
    pub number: ServiceOrderId,
    /// Order id that the store assigned, or `number` if it assigned none.
    pub order_id: String,
    /// Type of the order, such as `manual`.
    pub kind: OrderKind,
    /// Currency of all amounts.
    pub currency: Currency,
    /// Fees computed by the price rules, before `corrections`.
    pub bill: Bill,
    /// Fee lines added by operators, oldest first. They are not part of `bill`.
    pub corrections: Vec<Correction>,
    /// Items, in the sequence in which the order lists them.
    pub items: Vec<PlacedItem>,
}

/// Data of an order's item for statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedItem {
    /// SKU of the ordered variant.
    pub sku: String,
    /// Number of ordered units.
    pub quantity: u32,
    /// Cost of a unit to the store; `None` if unknown.
    pub unit_cost: Option<Amount>,
    /// Status and counters of the item, such as `shipped_quantity`.
    pub state: ItemState,
    /// Time of the last handover to a carrier; `None` without any. Void shipments do not count.
    pub sent_at: Option<Timestamp>,
    /// Number of units that were recorded as misprinted.
    pub misprints: u32,
}

impl PlacedOrder {
    /// Returns the data of `order` for statistics. The `progress` of other orders is ignored.
    pub fn new(order: &Order, progress: &[ItemProgress]) -> Self {
        let content = &order.content;
        let (store, id) = (content.store_id, content.id);
        let misprints = |item: ItemId| {
            let place = ItemRef::new(order, item);
            let mut entries = progress.iter();
            let progress = entries.find(|progress| progress.place == place);
            progress.map_or(0, |progress| progress.misprints)
        };
        let pairs = content.items.iter().zip(&order.state.items);
        let items = pairs.map(|(line, state)| PlacedItem {
            sku: line.sku.clone(),
            quantity: line.quantity,
            unit_cost: line.unit_cost,
            state: state.clone(),
            sent_at: PlacedItem::sent_at(&order.shipments, state.id),
            misprints: misprints(state.id),
        });
        Self {
            store,
            id,
            number: order.service_order_id.clone(),
            order_id: order.shown_order_id().into_owned(),
            kind: content.kind(),
            currency: content.currency,
            bill: content.bill.clone(),
            corrections: order.corrections.clone(),
            items: items.collect(),
        }
    }

    /// Returns whether all items have the status `cancelled`.
    pub fn is_cancelled(&self) -> bool {
        let mut items = self.items.iter();
        items.all(PlacedItem::is_cancelled)
    }

    /// Returns whether all costs of the order are known; a cancelled order costs nothing.
    pub fn is_priced(&self) -> bool {
        let mut missing = self.bill.missing(self.kind.needed_fees());
        missing.next().is_none() || self.is_cancelled()
    }
}

impl PlacedItem {
    /// Returns the time at which the latest of `shipments` with units of `item` was handed to the
    /// carrier; `None` without a shipment of the item. Void shipments do not count.
    pub fn sent_at(shipments: &[Shipment], item: ItemId) -> Option<Timestamp> {
        let counting = shipments.iter().filter(|shipment| shipment.counts());
        let of_item = counting.filter(|shipment| shipment.units_of(item) > 0);
        of_item.map(|shipment| shipment.shipped_at).max()
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.state.status == ItemStatus::Cancelled
    }
}
