//! Changes of orders, within a transaction.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel::sqlite::SqliteConnection;
use pressline_domain::value::ServiceOrderId;
use pressline_store_kit::schema::{line_items, order_states, orders, shipments};
use pressline_store_kit::{ChangeRows, ContentRows};

use super::counters::Counter;
use super::rows::ReplacedItem;
use crate::insert::insert;
use crate::words;

/// Entry of the word index: the search words of an order, and the order's `row_id`.
pub(super) struct Entry {
    pub(super) row_id: i64,
    pub(super) tokens: String,
}

/// Returns the sequence of the change's event and, if the content changes, the order's new search
/// words; `None` if the order does not have the expected version.
pub(super) fn write(
    connection: &mut SqliteConnection,
    change: &mut ChangeRows,
    counter: &mut Counter,
) -> QueryResult<Option<(i64, Option<Entry>)>> {
    let sequence = counter.sequence();
    change.state.last_sequence = sequence;
    change.event.sequence = sequence;
    let state = &change.state;
    let stored = order_states::table
        .find((&state.store_id, &state.id))
        .filter(order_states::version.eq(change.expected));
    if diesel::update(stored).set(state).execute(connection)? == 0 {
        return Ok(None);
    }
    counter.use_sequence();
    insert(connection, &[&change.event])?;
    if let Some(shipment) = &change.shipment {
        diesel::replace_into(shipments::table)
            .values(shipment)
            .execute(connection)?;
    }
    insert(connection, &change.corrections.iter().collect::<Vec<_>>())?;
    let content = change.content.as_deref();
    let number = &change.order.service_order_id;
    let entry = content.map(|content| write_content(connection, content, number));
    Ok(Some((sequence, entry.transpose()?)))
}

/// SQL for the number of the chunk of a row of `orders`, as in `sql/chunk_of.sql`.
const CHUNK_OF_ORDER: &str = "(
    SELECT chunk
    FROM order_chunks
    WHERE order_chunks.store_id = orders.store_id
      AND from_id <= orders.id
    ORDER BY from_id DESC
    LIMIT 1
)";

/// Returns the order's new entry for the word index.
fn write_content(
    connection: &mut SqliteConnection,
    content: &ContentRows,
    number: &ServiceOrderId,
) -> QueryResult<Entry> {
    let row = &content.order;
    let (row_id, chunk) = diesel::update(orders::table.find((&row.store_id, &row.id)))
        .set(row)
        .returning((sql::<BigInt>("row_id"), sql::<BigInt>(CHUNK_OF_ORDER)))
        .get_result::<(i64, i64)>(connection)?;
    // Otherwise replacing the items by position is enough.
    if content.removes_items {
        let own_items = line_items::store_id
            .eq(&row.store_id)
            .and(line_items::order_uuid.eq(&row.id));
        diesel::delete(line_items::table.filter(own_items)).execute(connection)?;
    }
    let items = content.items.iter().map(ReplacedItem);
    insert(connection, &items.collect::<Vec<_>>())?;
    let tokens = words::tokens(&content.words, chunk, number);
    Ok(Entry { row_id, tokens })
}
