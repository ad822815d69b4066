//! Reads placed orders for figures, the same for both databases. Each statement is about one store, and reads ranges of
//! keys. Only calls of operators send them.

mod row;

use std::collections::HashMap;
use std::marker::PhantomData;

use diesel::connection::LoadConnection;
use diesel::query_builder::QueryFragment;
use diesel::query_dsl::methods::LoadQuery;
use diesel::sql_types::Text;
use pressline_domain::error::RepositoryError;
use pressline_domain::figures::{PlacedOrder, PlacedRange};
use serde::de::DeserializeOwned;

use crate::cold::{Cold, Value, load};
use crate::corrupt::StoredRow;
use row::{Documents, LineRow, LineSql, restored};

/// Order and document of a shipment or of a fee line.
type DocumentSql = (Text, Text);
type DocumentRow = (String, String);

/// The orders of a range with their items, by one statement: a change of an order between two would make items that its bill
/// does not fit. What is long, and of an order, is only with its first item.
const LINES: &str = "
    SELECT
        placed.id,
        placed.order_id,
        placed.prefix,
        placed.number,
        placed.source,
        placed.currency,
        CASE WHEN placed.label_url IS NULL THEN 0 ELSE 1 END,
        CASE WHEN items.position = 0 THEN placed.bill END,
        CASE WHEN items.position = 0 THEN states.items END,
        states.shipments,
        states.corrections,
        items.id,
        items.sku,
        items.quantity,
        items.unit_cost,
        progress.misprints
    FROM (
        SELECT id, order_id, prefix, number, source, currency, label_url, bill
        FROM orders
        WHERE store_id = :store_id
          AND id >= :from_id
          AND id < :before_id
        ORDER BY id
        LIMIT :count
    ) AS placed
    JOIN order_states AS states
        ON states.store_id = :store_id
        AND states.id = placed.id
    JOIN line_items AS items
        ON items.store_id = :store_id
        AND items.order_uuid = placed.id
    LEFT JOIN item_progress AS progress
        ON progress.store_id = :store_id
        AND progress.order_uuid = placed.id
        AND progress.item_id = items.id
    ORDER BY placed.id, items.position";

/// The shipments of the orders from one to another.
const SHIPMENTS: &str = "
    SELECT order_uuid, document
    FROM shipments
    WHERE store_id = :store_id
      AND order_uuid >= :from_id
      AND order_uuid <= :last_id
    ORDER BY order_uuid, position";

/// The fee lines of operators of the orders from one to another.
const CORRECTIONS: &str = "
    SELECT order_uuid, document
    FROM fee_corrections
    WHERE store_id = :store_id
      AND order_uuid >= :from_id
      AND order_uuid <= :last_id
    ORDER BY order_uuid, position";

/// The placed orders that a connection reads. `F` is the error of the connection.
#[derive(Debug)]
pub struct FiguresReader<'c, C, F> {
    connection: &'c mut C,
    failure: PhantomData<F>,
}

fn range_values(range: &PlacedRange) -> [(&'static str, Value); 4] {
    [
        ("store_id", Value::Text(range.store.to_string())),
        ("from_id", Value::Text(range.from.to_string())),
        ("before_id", Value::Text(range.before.to_string())),
        ("count", Value::BigInt(i64::from(range.count))),
    ]
}

fn document_values(store_id: &str, from: &str, last: &str) -> [(&'static str, Value); 3] {
    [
        ("store_id", Value::text(store_id)),
        ("from_id", Value::text(from)),
        ("last_id", Value::text(last)),
    ]
}

/// Returns the statement that reads the orders of a range, for tests that look at its plan.
#[must_use]
pub fn placed_lines(range: &PlacedRange) -> Cold<LineSql> {
    Cold::new(LINES, &range_values(range))
}

/// Returns the statements that read shipments and fee lines of operators, for tests that look at their plans.
#[must_use]
pub fn placed_documents(range: &PlacedRange) -> [Cold<DocumentSql>; 2] {
    let store_id = range.store.to_string();
    let (from, last) = (range.from.to_string(), range.before.to_string());
    let values = document_values(&store_id, &from, &last);
    [SHIPMENTS, CORRECTIONS].map(|text| Cold::new(text, &values))
}

impl<'c, C, F> FiguresReader<'c, C, F> {
    /// Returns the placed orders of a connection.
    pub fn new(connection: &'c mut C) -> Self {
        Self {
            connection,
            failure: PhantomData,
        }
    }
}

impl<C, F> FiguresReader<'_, C, F>
where
    C: LoadConnection,
    F: From<diesel::result::Error> + From<RepositoryError>,
    Cold<()>: QueryFragment<C::Backend>,
    for<'q> Cold<LineSql>: LoadQuery<'q, C, LineRow>,
    for<'q> Cold<DocumentSql>: LoadQuery<'q, C, DocumentRow>,
{
    /// Returns the first orders of a range, in ascending order of their ids.
    ///
    /// # Errors
    /// As the database fails, and if a column does not contain what it should.
    pub fn placed(&mut self, range: &PlacedRange) -> Result<Vec<PlacedOrder>, F> {
        let store_id = range.store.to_string();
        let values = range_values(range);
        let lines = load::<LineSql, LineRow, _>(self.connection, LINES, &values)?;
        let shipped = |line: &&LineRow| line.shipments > 0;
        let corrected = |line: &&LineRow| line.corrections > 0;
        let documents = Documents {
            shipments: self.documents(SHIPMENTS, "shipments", &store_id, &lines, shipped)?,
            corrections: self.documents(
                CORRECTIONS,
                "fee_corrections",
                &store_id,
                &lines,
                corrected,
            )?,
        };
        let orders = lines.chunk_by(|line, next| line.id == next.id);
        let orders = orders.map(|lines| restored(range.store, lines, &documents));
        Ok(orders.collect::<Result<_, RepositoryError>>()?)
    }

    /// Reads the documents of those of the orders that have some, by order.
    fn documents<T: DeserializeOwned>(
        &mut self,
        text: &str,
        table: &'static str,
        store_id: &str,
        lines: &[LineRow],
        has_some: impl Fn(&&LineRow) -> bool,
    ) -> Result<HashMap<String, Vec<T>>, F> {
        let mut documents: HashMap<String, Vec<T>> = HashMap::new();
        let mut having = lines.iter().filter(has_some);
        let Some(first) = having.next() else {
            return Ok(documents);
        };
        let last = having.next_back().unwrap_or(first);
        let values = document_values(store_id, &first.id, &last.id);
        let rows = load::<DocumentSql, DocumentRow, _>(self.connection, text, &values)?;
        for (order, document) in rows {
            let stored = StoredRow(table, &[store_id, &order]);
            let document = stored.read("document", serde_json::from_str(&document))?;
            documents.entry(order).or_default().push(document);
        }
        Ok(documents)
    }
}
