//! Placed orders, as figures read them.

use crate::production::{ItemProgress, ItemRef};
use pressline_domain::fulfilment::{ItemState, ItemStatus, Shipment};
use pressline_domain::id::{ItemId, OrderId, ServiceOrderId, StoreId};
use pressline_domain::money::{Amount, Currency};
use pressline_domain::order::{Order, OrderKind};
use pressline_domain::pricing::corrections::Correction;
use pressline_domain::pricing::fees::Bill;
use pressline_domain::time::Timestamp;

/// What figures read of an order: less than the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedOrder {
    /// Its store.
    pub store: StoreId,
    /// Its id.
    pub id: OrderId,
    /// Its number.
    pub number: ServiceOrderId,
    /// The order id by which callers know it.
    pub order_id: String,
    /// Its type.
    pub kind: OrderKind,
    /// The currency of its amounts.
    pub currency: Currency,
    /// Its fees by the rules.
    pub bill: Bill,
    /// The fee lines of operators, oldest first.
    pub corrections: Vec<Correction>,
    /// Its items, in the order of the order.
    pub items: Vec<PlacedItem>,
}

/// What figures read of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedItem {
    /// The SKU.
    pub sku: String,
    /// Its units.
    pub quantity: u32,
    /// What one unit costs the store; `None` if that is not known.
    pub unit_cost: Option<Amount>,
    /// Its state.
    pub state: ItemState,
    /// When the last of its shipments that are not void was handed to the carrier.
    pub sent_at: Option<Timestamp>,
    /// Units that were misprinted.
    pub misprints: u32,
}

impl PlacedOrder {
    /// Returns what figures read of an order with this progress of its items.
    pub fn new(order: &Order, progress: &[ItemProgress]) -> Self {
        let content = &order.content;
        let (store, id) = (content.store_id, content.id);
        let misprints = |item: ItemId| {
            let place = ItemRef {
                store,
                order: id,
                item,
            };
            let mut progress = progress.iter();
            let progress = progress.find(|progress| progress.place == place);
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

    /// Returns whether all items are cancelled.
    pub fn is_cancelled(&self) -> bool {
        let mut items = self.items.iter();
        items.all(PlacedItem::is_cancelled)
    }

    /// Returns whether every cost that belongs into the total is known. A wholly cancelled order costs nothing.
    pub fn is_priced(&self) -> bool {
        let mut missing = self.bill.missing(self.kind.needed_fees());
        missing.next().is_none() || self.is_cancelled()
    }
}

impl PlacedItem {
    /// Returns when the last of an item's shipments that are not void was handed to the carrier.
    pub fn sent_at(shipments: &[Shipment], item: ItemId) -> Option<Timestamp> {
        let counting = shipments.iter().filter(|shipment| shipment.counts());
        let of_item = counting.filter(|shipment| shipment.units_of(item) > 0);
        of_item.map(|shipment| shipment.shipped_at).max()
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.state.status == ItemStatus::Cancelled
    }
}
