//! Rows of orders in the overview and in reports.

use pressline_backoffice::overview::{OpenItem, OpenOrder};
use pressline_backoffice::statistics::{PlacedItem, PlacedOrder};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::fulfilment::{ItemState, Shipment};
use pressline_domain::order::{OrderKind, shown_order_id};
use pressline_domain::pricing::fees::Bill;
use pressline_domain::value::{Amount, ItemId, ServiceOrderId};

use crate::corrupt::StoredRow;
use crate::json::{bill, moves};
use crate::order::{read_list, source_of};
use crate::production::{batch_number, read_done};
use crate::sql::Row;

/// Item with columns of its order. The columns `bill` to `corrections` are JSON, and
/// `None` except in the first row of an order.
#[derive(Clone, PartialEq, Row)]
pub(crate) struct LineRow {
    pub(crate) store_id: String,
    pub(crate) id: String,
    pub(crate) order_id: String,
    pub(crate) prefix: String,
    pub(crate) number: i64,
    pub(crate) source: String,
    pub(crate) currency: String,
    pub(crate) has_label: i32,
    pub(crate) has_change: i32,
    pub(crate) bill: Option<String>,
    pub(crate) states: Option<String>,
    pub(crate) needs: Option<String>,
    pub(crate) shipments: Option<String>,
    pub(crate) corrections: Option<String>,
    pub(crate) item_id: String,
    pub(crate) sku: String,
    pub(crate) name: Option<String>,
    pub(crate) quantity: i32,
    pub(crate) unit_cost: Option<i64>,
    pub(crate) done: Option<String>,
    pub(crate) misprints: Option<i64>,
    pub(crate) batch: Option<i64>,
}

/// Parts of an order that the overview and reports both need.
struct ReadOrder<'a> {
    first: &'a LineRow,
    kind: OrderKind,
    bill: Bill,
    items: Vec<(&'a LineRow, ItemState)>,
    shipments: Vec<Shipment>,
}

impl LineRow {
    pub(super) fn is_of_same_order(&self, other: &Self) -> bool {
        self.id == other.id && self.store_id == other.store_id
    }

    fn quantity(&self, key: &[&str]) -> Result<u32> {
        StoredRow("line_items", key).read("quantity", u32::try_from(self.quantity))
    }

    fn open(&self, state: ItemState) -> Result<OpenItem> {
        let key = [self.store_id.as_str(), &self.id, &self.item_id];
        let progress = StoredRow("item_progress", &key);
        let done_units = progress.read_option("done", self.done.as_deref(), read_done)?;
        let batch = |number| batch_number("open_batch_items", "batch", number);
        Ok(OpenItem {
            sku: self.sku.clone(),
            name: self.name.clone(),
            quantity: self.quantity(&key)?,
            state,
            done: done_units.unwrap_or_default(),
            batch: self.batch.map(batch).transpose()?,
        })
    }

    fn placed(&self, state: ItemState, shipments: &[Shipment]) -> Result<PlacedItem> {
        let key = [self.store_id.as_str(), &self.id, &self.item_id];
        let stored = StoredRow("line_items", &key);
        let progress = StoredRow("item_progress", &key);
        let misprints = progress.read_option("misprints", self.misprints, u32::try_from)?;
        Ok(PlacedItem {
            sku: self.sku.clone(),
            quantity: self.quantity(&key)?,
            unit_cost: stored.read_option("unit_cost", self.unit_cost, Amount::from_minor)?,
            sent_at: PlacedItem::sent_at(shipments, state.id),
            misprints: misprints.unwrap_or_default(),
            state,
        })
    }
}

impl<'a> ReadOrder<'a> {
    fn new(lines: &'a [LineRow]) -> Result<Self> {
        let [first, ..] = lines else {
            return Err(RepositoryError::Refused("no row of an order".into()));
        };
        let key = [first.store_id.as_str(), &first.id];
        let parsed_ids = lines.iter().map(|line| line.item_id.parse());
        let ids: Vec<ItemId> = StoredRow("line_items", &key).read("id", parsed_ids.collect())?;
        let text = first.bill.as_deref().unwrap_or_default();
        let bill = bill::read_of(text, |position| ids.get(position).copied());
        let document = first.states.as_deref().unwrap_or_default();
        let read_states = moves::read_items(document, ids.into_iter());
        let mut states = StoredRow("order_states", &key).read("items", read_states)?;
        let read_shipments = read_list(first.shipments.as_deref());
        let shipments: Vec<Shipment> =
            StoredRow("shipments", &key).read("document", read_shipments)?;
        // Shipped units are not part of the stored state: they follow from the shipments.
        for state in &mut states {
            let counting = shipments.iter().filter(|shipment| shipment.counts());
            let shipped = counting.map(|shipment| shipment.units_of(state.id));
            state.shipped_quantity = shipped.fold(0, u32::saturating_add);
        }
        Ok(Self {
            first,
            kind: match first.has_label {
                0 => OrderKind::Manual,
                _ => OrderKind::Label,
            },
            bill: StoredRow("orders", &key).read("bill", bill)?,
            items: lines.iter().zip(states).collect(),
            shipments,
        })
    }
}

pub(super) fn open(lines: &[LineRow]) -> Result<OpenOrder> {
    let read = ReadOrder::new(lines)?;
    let key = [read.first.store_id.as_str(), &read.first.id];
    let (order, state) = (StoredRow("orders", &key), StoredRow("order_states", &key));
    let items = read.items.into_iter().map(|(line, state)| line.open(state));
    Ok(OpenOrder {
        store: order.read("store_id", key[0].parse())?,
        id: order.read("id", key[1].parse())?,
        priced: read.bill.missing(read.kind.needed_fees()).next().is_none(),
        has_change: read.first.has_change != 0,
        needs: state.read("needs", read_list(read.first.needs.as_deref()))?,
        items: items.collect::<Result<_, _>>()?,
    })
}

pub(super) fn placed(lines: &[LineRow]) -> Result<PlacedOrder> {
    let read = ReadOrder::new(lines)?;
    let first = read.first;
    let key = [first.store_id.as_str(), &first.id];
    let order = StoredRow("orders", &key);
    let number = ServiceOrderId {
        prefix: order.read("prefix", first.prefix.parse())?,
        number: first.number,
    };
    let source = order.read("source", source_of(&first.source))?;
    let corrections = read_list(first.corrections.as_deref());
    let items = read
        .items
        .into_iter()
        .map(|(line, state)| line.placed(state, &read.shipments));
    Ok(PlacedOrder {
        store: order.read("store_id", key[0].parse())?,
        id: order.read("id", key[1].parse())?,
        order_id: shown_order_id(source, &first.order_id, &number).into_owned(),
        kind: read.kind,
        currency: order.read("currency", first.currency.parse())?,
        bill: read.bill,
        corrections: StoredRow("fee_corrections", &key).read("document", corrections)?,
        items: items.collect::<Result<_, _>>()?,
        number,
    })
}
