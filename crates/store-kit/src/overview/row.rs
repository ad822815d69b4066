//! The rows that the overview reads of orders.

use std::collections::HashMap;

use diesel::Queryable;
use diesel::sql_types::{BigInt, Integer, Nullable, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::ItemState;
use pressline_domain::id::ItemId;
use pressline_domain::order::OrderKind;
use pressline_domain::overview::{OpenItem, OpenOrder};

use super::orders::ShippedUnits;
use crate::corrupt::StoredRow;
use crate::json::{bill, moves};
use crate::production::{batch_number, read_done};

/// The columns of an item, with those of its order.
pub(super) type LineSql = (
    Text,
    Text,
    Nullable<Text>,
    Nullable<Text>,
    Nullable<Text>,
    Integer,
    Integer,
    Integer,
    Text,
    Text,
    Nullable<Text>,
    Integer,
    Nullable<Text>,
    Nullable<BigInt>,
);

/// An item, with what is read of its order.
#[derive(Debug, Queryable)]
pub struct LineRow {
    pub(super) store_id: String,
    pub(super) id: String,
    /// The states of all items, only with the first one.
    states: Option<String>,
    /// What the shop needs, only with the first item.
    needs: Option<String>,
    /// The bill, only with the first item.
    bill: Option<String>,
    has_change: i32,
    has_label: i32,
    pub(super) shipments: i32,
    item_id: String,
    sku: String,
    name: Option<String>,
    quantity: i32,
    done: Option<String>,
    batch: Option<i64>,
}

impl LineRow {
    pub(super) fn is_of_same_order(&self, other: &Self) -> bool {
        self.id == other.id && self.store_id == other.store_id
    }

    fn item(
        &self,
        mut state: ItemState,
        shipped: &ShippedUnits,
    ) -> Result<OpenItem, RepositoryError> {
        let key = [self.store_id.as_str(), &self.id, &self.item_id];
        let stored = StoredRow("line_items", &key);
        let progress = StoredRow("item_progress", &key);
        let done = progress.read_option("done", self.done.as_deref(), read_done)?;
        let batch = self
            .batch
            .map(|number| batch_number("open_batch_items", "batch", number));
        state.shipped_quantity = shipped.get(&state.id).copied().unwrap_or_default();
        Ok(OpenItem {
            sku: self.sku.clone(),
            name: self.name.clone(),
            quantity: stored.read("quantity", u32::try_from(self.quantity))?,
            state,
            done: done.unwrap_or_default(),
            batch: batch.transpose()?,
        })
    }
}

/// Returns an order of its rows, with the units that are shipped of each order.
pub(super) fn restored(
    lines: &[LineRow],
    shipped: &HashMap<(String, String), ShippedUnits>,
) -> Result<OpenOrder, RepositoryError> {
    let [first, ..] = lines else {
        return Err(RepositoryError::Refused("no row of an order".into()));
    };
    let key = [first.store_id.as_str(), &first.id];
    let (order, state) = (StoredRow("orders", &key), StoredRow("order_states", &key));
    let ids = lines.iter().map(|line| line.item_id.parse());
    let ids: Vec<ItemId> = StoredRow("line_items", &key).read("id", ids.collect())?;
    let states = first.states.as_deref().unwrap_or_default();
    let states = state.read("items", moves::read_items(states, ids.into_iter()))?;
    let kind = if first.has_label == 0 {
        OrderKind::Manual
    } else {
        OrderKind::Label
    };
    let known = bill::known_fees(first.bill.as_deref().unwrap_or_default());
    let known = order.read("bill", known)?;
    let needs = first.needs.as_deref().map(serde_json::from_str).transpose();
    let none = ShippedUnits::new();
    let shipped = shipped.get(&(first.store_id.clone(), first.id.clone()));
    let items = lines.iter().zip(states);
    let items = items.map(|(line, state)| line.item(state, shipped.unwrap_or(&none)));
    Ok(OpenOrder {
        store: order.read("store_id", first.store_id.parse())?,
        id: order.read("id", first.id.parse())?,
        priced: kind.needed_fees().iter().all(|fee| known.contains(fee)),
        has_change: first.has_change != 0,
        needs: state.read("needs", needs)?.unwrap_or_default(),
        items: items.collect::<Result<_, _>>()?,
    })
}
