//! The rows that figures read of orders.

use std::collections::HashMap;

use diesel::Queryable;
use diesel::sql_types::{BigInt, Integer, Nullable, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::figures::{PlacedItem, PlacedOrder};
use pressline_domain::fulfilment::{ItemState, Shipment};
use pressline_domain::id::{ItemId, ServiceOrderId, StoreId};
use pressline_domain::money::Amount;
use pressline_domain::order::{OrderKind, shown_order_id};
use pressline_domain::pricing::corrections::Correction;

use crate::corrupt::StoredRow;
use crate::json::{bill, moves};
use crate::order::source_of;

/// The columns of an item, with those of its order.
pub(super) type LineSql = (
    Text,
    Text,
    Text,
    BigInt,
    Text,
    Text,
    Integer,
    Nullable<Text>,
    Nullable<Text>,
    Integer,
    Integer,
    Text,
    Text,
    Integer,
    Nullable<BigInt>,
    Nullable<BigInt>,
);

/// An item, with what is read of its order.
#[derive(Debug, Queryable)]
pub struct LineRow {
    pub(super) id: String,
    order_id: String,
    prefix: String,
    number: i64,
    source: String,
    currency: String,
    has_label: i32,
    /// The bill, only with the first item.
    bill: Option<String>,
    /// The states of all items, only with the first one.
    states: Option<String>,
    pub(super) shipments: i32,
    pub(super) corrections: i32,
    item_id: String,
    sku: String,
    quantity: i32,
    unit_cost: Option<i64>,
    misprints: Option<i64>,
}

/// What is read of orders besides their items, by order.
pub(super) struct Documents {
    pub(super) shipments: HashMap<String, Vec<Shipment>>,
    pub(super) corrections: HashMap<String, Vec<Correction>>,
}

impl LineRow {
    fn item(
        &self,
        mut state: ItemState,
        key: &[&str],
        shipments: &[Shipment],
    ) -> Result<PlacedItem, RepositoryError> {
        let (stored, progress) = (
            StoredRow("line_items", key),
            StoredRow("item_progress", key),
        );
        let misprints = self.misprints.map(u32::try_from).transpose();
        let counting = shipments.iter().filter(|shipment| shipment.counts());
        let shipped = counting.map(|shipment| shipment.units_of(state.id));
        state.shipped_quantity = shipped.fold(0, u32::saturating_add);
        Ok(PlacedItem {
            sku: self.sku.clone(),
            quantity: stored.read("quantity", u32::try_from(self.quantity))?,
            unit_cost: stored.read_option("unit_cost", self.unit_cost, Amount::from_minor)?,
            sent_at: PlacedItem::sent_at(shipments, state.id),
            misprints: progress.read("misprints", misprints)?.unwrap_or_default(),
            state,
        })
    }
}

/// Returns an order of its rows.
pub(super) fn restored(
    store: StoreId,
    lines: &[LineRow],
    documents: &Documents,
) -> Result<PlacedOrder, RepositoryError> {
    let [first, ..] = lines else {
        return Err(RepositoryError::Refused("no row of an order".into()));
    };
    let store_id = store.to_string();
    let key = [store_id.as_str(), &first.id];
    let (order, state) = (StoredRow("orders", &key), StoredRow("order_states", &key));
    let ids = lines.iter().map(|line| line.item_id.parse());
    let ids: Vec<ItemId> = StoredRow("line_items", &key).read("id", ids.collect())?;
    let text = first.bill.as_deref().unwrap_or_default();
    let bill = bill::read_of(text, |position| ids.get(position).copied());
    let bill = order.read("bill", bill)?;
    let states = first.states.as_deref().unwrap_or_default();
    let states = state.read("items", moves::read_items(states, ids.iter().copied()))?;
    let number = ServiceOrderId {
        prefix: order.read("prefix", first.prefix.parse())?,
        number: first.number,
    };
    let source = order.read("source", source_of(&first.source))?;
    let shipments = documents
        .shipments
        .get(&first.id)
        .map_or(&[][..], Vec::as_slice);
    let items = lines.iter().zip(states);
    let items = items.map(|(line, state)| line.item(state, &key, shipments));
    Ok(PlacedOrder {
        store,
        id: order.read("id", first.id.parse())?,
        order_id: shown_order_id(source, &first.order_id, &number).into_owned(),
        kind: match first.has_label {
            0 => OrderKind::Manual,
            _ => OrderKind::Label,
        },
        currency: order.read("currency", first.currency.parse())?,
        bill,
        corrections: documents
            .corrections
            .get(&first.id)
            .cloned()
            .unwrap_or_default(),
        items: items.collect::<Result<_, _>>()?,
        number,
    })
}
