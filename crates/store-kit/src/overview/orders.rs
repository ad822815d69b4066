//! Reads what the overview shows of orders.

use std::collections::HashMap;

use diesel::connection::LoadConnection;
use diesel::query_builder::QueryFragment;
use diesel::query_dsl::methods::LoadQuery;
use diesel::sql_types::Text;
use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::{Shipment, ShipmentStatus};
use pressline_domain::id::ItemId;
use pressline_domain::order::queue::OrderPlace;
use pressline_domain::overview::OpenOrder;

use super::row::{LineRow, LineSql, restored};
use super::{Given, OverviewReader, OverviewTexts};
use crate::cold::{Cold, Value, load};
use crate::corrupt::StoredRow;

/// Store and order of a shipment, and its document.
type DocumentSql = (Text, Text, Text);
type DocumentRow = (String, String, String);

/// The units of each item of an order that are with carriers.
pub(super) type ShippedUnits = HashMap<ItemId, u32>;

impl OverviewTexts {
    fn given_orders(self) -> String {
        (self.rows)(&[("store_id", "TEXT"), ("id", "TEXT")])
    }

    /// Returns the statement that reads the items of given orders. Each order is looked up before its items. The first item of
    /// an order also has what is read of the order: it is not repeated, because it is longer than all the rest.
    fn lines(self) -> String {
        let (given, store) = (self.given_orders(), self.store());
        format!(
            "WITH open_orders AS MATERIALIZED (
                 SELECT
                     given.store_id,
                     given.id,
                     states.items AS states,
                     states.needs,
                     orders.bill,
                     CASE WHEN states.pending IS NULL THEN 0 ELSE 1 END AS has_change,
                     CASE WHEN orders.label_url IS NULL THEN 0 ELSE 1 END AS has_label,
                     states.shipments
                 FROM {given}
                 JOIN order_states AS states
                     ON states.store_id = {store}
                     AND states.id = given.id
                 JOIN orders
                     ON orders.store_id = {store}
                     AND orders.id = given.id
             )
             SELECT
                 given.store_id,
                 given.id,
                 CASE WHEN items.position = 0 THEN given.states END,
                 CASE WHEN items.position = 0 THEN given.needs END,
                 CASE WHEN items.position = 0 THEN given.bill END,
                 given.has_change,
                 given.has_label,
                 given.shipments,
                 items.id,
                 items.sku,
                 items.name,
                 items.quantity,
                 progress.done,
                 batches.batch
             FROM open_orders AS given
             JOIN line_items AS items
                 ON items.store_id = {store}
                 AND items.order_uuid = given.id
             LEFT JOIN item_progress AS progress
                 ON progress.store_id = {store}
                 AND progress.order_uuid = given.id
                 AND progress.item_id = items.id
             LEFT JOIN open_batch_items AS batches
                 ON batches.store_id = {store}
                 AND batches.order_uuid = given.id
                 AND batches.item_id = items.id
             ORDER BY given.id, given.store_id, items.position"
        )
    }

    /// Returns the statement that reads the shipments of given orders.
    fn documents(self) -> String {
        let (given, store) = (self.given_orders(), self.store());
        format!(
            "SELECT given.store_id, given.id, shipments.document
             FROM {given}
             JOIN shipments
                 ON shipments.store_id = {store}
                 AND shipments.order_uuid = given.id"
        )
    }
}

/// Returns the statement that reads the items of these orders, for tests that look at its plan.
#[must_use]
pub fn overview_lines(texts: OverviewTexts) -> Cold<LineSql> {
    Cold::new(&texts.lines(), &no_rows())
}

/// Returns the statement that reads the shipments of these orders, for tests that look at its plan.
#[must_use]
pub fn overview_documents(texts: OverviewTexts) -> Cold<DocumentSql> {
    Cold::new(&texts.documents(), &no_rows())
}

/// The parameters of a statement about no rows.
pub(super) fn no_rows() -> [(&'static str, Value); 2] {
    [("store_id", Value::text("")), ("rows", Value::text("[]"))]
}

impl<C, F> OverviewReader<'_, C, F>
where
    C: LoadConnection,
    F: From<diesel::result::Error> + From<RepositoryError>,
    for<'q> Cold<LineSql>: LoadQuery<'q, C, LineRow>,
    for<'q> Cold<DocumentSql>: LoadQuery<'q, C, DocumentRow>,
    Cold<()>: QueryFragment<C::Backend>,
{
    /// Returns what the overview reads of these orders, in ascending order of their ids.
    ///
    /// # Errors
    /// As the database fails, and if a column does not contain what it should.
    pub fn orders(&mut self, places: &[OrderPlace]) -> Result<Vec<OpenOrder>, F> {
        let given = places.iter().map(|place| Given {
            store_id: place.store.to_string(),
            id: Some(place.order.id.to_string()),
        });
        let text = self.texts.lines();
        let mut rows: Vec<LineRow> = Vec::new();
        for values in self.texts.parameters(given.collect())? {
            rows.extend(load::<LineSql, LineRow, _>(
                self.connection,
                &text,
                &values,
            )?);
        }
        let orders: Vec<&[LineRow]> = rows.chunk_by(LineRow::is_of_same_order).collect();
        let shipped = self.shipped(&orders)?;
        let mut restored = orders
            .into_iter()
            .map(|lines| restored(lines, &shipped))
            .collect::<Result<Vec<_>, _>>()?;
        restored.sort_by_key(|order| order.id);
        Ok(restored)
    }

    /// Reads the shipped units of those of the orders that have shipments, by store and order.
    fn shipped(
        &mut self,
        orders: &[&[LineRow]],
    ) -> Result<HashMap<(String, String), ShippedUnits>, F> {
        let first = orders.iter().filter_map(|lines| lines.first());
        let given = first.filter(|line| line.shipments > 0).map(|line| Given {
            store_id: line.store_id.clone(),
            id: Some(line.id.clone()),
        });
        let text = self.texts.documents();
        let mut shipped: HashMap<(String, String), ShippedUnits> = HashMap::new();
        for values in self.texts.parameters(given.collect())? {
            let rows = load::<DocumentSql, DocumentRow, _>(self.connection, &text, &values)?;
            for (store_id, order, document) in rows {
                let shipment = read_shipment(&store_id, &order, &document)?;
                let of_order = shipped.entry((store_id, order)).or_default();
                for units in counting(&shipment) {
                    let of_item = of_order.entry(units.id).or_default();
                    *of_item = of_item.saturating_add(units.quantity);
                }
            }
        }
        Ok(shipped)
    }
}

/// Reads the document of a shipment.
pub(super) fn read_shipment(
    store_id: &str,
    key: &str,
    document: &str,
) -> Result<Shipment, RepositoryError> {
    let stored = StoredRow("shipments", &[store_id, key]);
    stored.read("document", serde_json::from_str(document))
}

/// Returns the units of a shipment; none of a void one.
pub(super) fn counting(
    shipment: &Shipment,
) -> impl Iterator<Item = &pressline_domain::fulfilment::ShippedUnits> {
    let counts = shipment.status != ShipmentStatus::Void;
    shipment.items.iter().filter(move |_| counts)
}
