//! The statement that reads an order's events.

use std::ops::ControlFlow;

use diesel::sqlite::SqliteConnection;
use pressline_domain::event::{Event, EventChain};
use pressline_domain::order::search::Batch;
use pressline_store_kit::{EventRow, Sql, Values, restore_all};

use crate::error::Failure;
use crate::sql::{each_row, load};

static EVENTS: Sql = Sql::new(include_str!("sql/events.sql"));

/// Parameters of the statement that reads up to `count` events, from `latest` back to after `until`.
fn chain_values<'v>(
    store_id: &'v str,
    id: &'v str,
    (latest, until): (u64, u64),
    count: u32,
) -> Values<'v> {
    vec![
        ("store_id", store_id.into()),
        ("latest", latest.into()),
        ("id", id.into()),
        ("count", count.into()),
        ("until", until.into()),
    ]
}

/// Returns events from `latest` backwards; none if the order does not have the event `latest`.
pub(super) fn events(
    connection: &mut SqliteConnection,
    (store_id, id): (&str, &str),
    latest: u64,
    count: u32,
) -> Result<Vec<Event>, Failure> {
    let values = chain_values(store_id, id, (latest, 0), count);
    restore_all(load(connection, &EVENTS, &values)?, EventRow::restore)
}

/// Reads events of several orders: up to `count` events of each range in `chains`, and up to
/// `bytes` bytes in total, but at least the first event. Each range belongs to one order.
pub(super) fn chains(
    connection: &mut SqliteConnection,
    store_id: &str,
    chains: &[EventChain],
    (count, bytes): (u32, u64),
) -> Result<Vec<Event>, Failure> {
    let mut batch = Batch::new(bytes);
    let mut rows: Vec<EventRow> = Vec::new();
    let mut is_full = false;
    for chain in chains {
        let id = chain.order.to_string();
        let values = chain_values(store_id, &id, (chain.latest, chain.until), count);
        // Row by row, so that reading stops as soon as the batch is full.
        each_row(connection, &EVENTS, &values, |row: EventRow| {
            is_full = !batch.takes(row.bytes());
            if is_full {
                return Ok(ControlFlow::Break(()));
            }
            rows.push(row);
            Ok(ControlFlow::Continue(()))
        })?;
        if is_full {
            break;
        }
    }
    restore_all(rows, EventRow::restore)
}
