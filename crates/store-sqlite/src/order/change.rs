//! Changes of orders, within a transaction.

use diesel::QueryResult;
use diesel::result::Error::NotFound;
use diesel::sqlite::SqliteConnection;
use pressline_domain::value::ServiceOrderId;
use pressline_store_kit::{ChangeRows, ContentRows, Row as _, Sql};

use super::counters::Counter;
use crate::insert::{Insert, values_of};
use crate::sql::{load_first, run};
use crate::words;

static UPDATE_STATE: Sql = Sql::new(include_str!("sql/update_state.sql"));
static UPDATE_ORDER: Sql = Sql::new(include_str!("sql/update_order.sql"));
static DELETE_ITEMS: Sql =
    Sql::new("DELETE FROM line_items WHERE store_id = :store_id AND order_uuid = :id");
static REPLACE_ITEMS: Insert = Insert::new(include_str!("sql/replace_items.sql"));
static REPLACE_SHIPMENTS: Insert = Insert::new(include_str!("sql/replace_shipments.sql"));
static INSERT_CORRECTIONS: Insert = Insert::new(include_str!("sql/insert_corrections.sql"));
pub(super) static INSERT_EVENTS: Insert = Insert::new(include_str!("sql/insert_events.sql"));

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
    let mut values = change.state.parameters();
    values.push(("expected", change.expected.into()));
    if run(connection, &UPDATE_STATE, &values)? == 0 {
        return Ok(None);
    }
    counter.use_sequence();
    INSERT_EVENTS.run(connection, &change.event.parameters())?;
    if let Some(shipment) = &change.shipment {
        REPLACE_SHIPMENTS.run(connection, &shipment.parameters())?;
    }
    INSERT_CORRECTIONS.run(connection, &values_of(&change.corrections))?;
    let content = change.content.as_deref();
    let number = &change.order.service_order_id;
    let entry = content.map(|content| write_content(connection, content, number));
    Ok(Some((sequence, entry.transpose()?)))
}

/// Returns the order's new entry for the word index.
fn write_content(
    connection: &mut SqliteConnection,
    content: &ContentRows,
    number: &ServiceOrderId,
) -> QueryResult<Entry> {
    let row = &content.order;
    let updated: Option<(i64, i64)> = load_first(connection, &UPDATE_ORDER, &row.parameters())?;
    let (row_id, chunk) = updated.ok_or(NotFound)?;
    // Otherwise replacing the items by position is enough.
    if content.removes_items {
        let values = [
            ("store_id", (&row.store_id).into()),
            ("id", (&row.id).into()),
        ];
        run(connection, &DELETE_ITEMS, &values)?;
    }
    REPLACE_ITEMS.run(connection, &values_of(&content.items))?;
    let tokens = words::tokens(&content.words, chunk, number);
    Ok(Entry { row_id, tokens })
}
