//! The statement that reads an order's events.

use diesel::connection::DefaultLoadingMode;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::event::{Event, EventChain};
use pressline_domain::order::search::Batch;
use pressline_store_kit::schema::order_events;
use pressline_store_kit::{EventRow, SqlText, restore_all, statement};

use crate::error::Failure;

statement! {
    struct SelectEvents<'a> for Sqlite, returns order_events::SqlType,
    text SqlText::new(include_str!("sql/events.sql"), &[]),
    {
        store_id: &'a str = Text,
        id: &'a str = Text,
        latest: i64 = BigInt,
        until: i64 = BigInt,
        count: i32 = Integer,
    }
}

/// Returns events from `latest` backwards; none if the order does not have the event `latest`.
pub(super) fn events(
    connection: &mut SqliteConnection,
    (store_id, id): (&str, &str),
    latest: u64,
    count: u32,
) -> Result<Vec<Event>, Failure> {
    let statement = SelectEvents {
        store_id,
        id,
        latest: i64::try_from(latest).unwrap_or(i64::MAX),
        until: 0,
        count: i32::try_from(count).unwrap_or(i32::MAX),
    };
    restore_all(statement.load(connection)?, EventRow::restore)
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
    let mut events = Vec::new();
    for chain in chains {
        let statement = SelectEvents {
            store_id,
            id: &chain.order.to_string(),
            latest: i64::try_from(chain.latest).unwrap_or(i64::MAX),
            until: i64::try_from(chain.until).unwrap_or(i64::MAX),
            count: i32::try_from(count).unwrap_or(i32::MAX),
        };
        // Row by row, so that reading stops as soon as the batch is full.
        for row in statement.load_iter::<EventRow, DefaultLoadingMode>(connection)? {
            let row = row?;
            if !batch.takes(row.bytes()) {
                return Ok(events);
            }
            events.push(row.restore()?);
        }
    }
    Ok(events)
}
