//! Changes of orders, within a transaction.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel::sqlite::SqliteConnection;
use pressline_domain::id::ServiceOrderId;
use pressline_store_kit::schema::{line_items, order_states, orders, shipments};
use pressline_store_kit::{ChangeRows, ContentRows};

use super::chunk;
use super::sequences;
use super::write::Entry;
use crate::insert::insert;
use crate::words;

/// Changes an order, and returns the sequence of its event and, where its content changes, its new words.
/// `None` where it does not have the expected version.
pub(super) fn write(
    connection: &mut SqliteConnection,
    change: &mut ChangeRows,
) -> QueryResult<Option<(i64, Option<Entry>)>> {
    let version = order_states::table
        .find((&change.state.store_id, &change.state.id))
        .select(order_states::version)
        .get_result::<i32>(connection)
        .optional()?;
    if version != Some(change.expected) {
        return Ok(None);
    }
    let sequence = sequences::take(connection, &change.state.store_id, 1)?;
    change.state.last_sequence = sequence;
    change.event.sequence = sequence;
    let state = &change.state;
    diesel::update(order_states::table.find((&state.store_id, &state.id)))
        .set(state)
        .execute(connection)?;
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

/// Replaces the content of an order with all its items. Returns its new words.
fn write_content(
    connection: &mut SqliteConnection,
    content: &ContentRows,
    number: &ServiceOrderId,
) -> QueryResult<Entry> {
    let row = &content.order;
    let row_id = diesel::update(orders::table.find((&row.store_id, &row.id)))
        .set(row)
        .returning(sql::<BigInt>("row_id"))
        .get_result::<i64>(connection)?;
    let chunk = chunk::of(connection, &row.store_id, &row.id)?;
    let own_items = line_items::store_id
        .eq(&row.store_id)
        .and(line_items::order_uuid.eq(&row.id));
    diesel::delete(line_items::table.filter(own_items)).execute(connection)?;
    insert(connection, &content.items.iter().collect::<Vec<_>>())?;
    let tokens = words::tokens(&content.words, chunk, number);
    Ok(Entry { row_id, tokens })
}
