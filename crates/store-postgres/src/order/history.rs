//! The statement that reads an order's events.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Integer, Text};
use pressline_domain::event::Event;
use pressline_store_kit::schema::order_events;
use pressline_store_kit::{EventRow, SqlText, restore_all, statement};

use crate::error::Failure;

statement! {
    pub(crate) struct SelectEvents<'a> for Pg, returns order_events::SqlType,
    text SqlText::new(include_str!("sql/events.sql"), &[]),
    {
        store_id: &'a str = Text,
        id: &'a str = Text,
        latest: i64 = BigInt,
        count: i32 = Integer,
    }
}

/// Returns events from `latest` backwards; none if the order does not have the event `latest`.
pub(crate) fn events(
    connection: &mut PgConnection,
    (store_id, id): (&str, &str),
    latest: u64,
    count: u32,
) -> Result<Vec<Event>, Failure> {
    let statement = SelectEvents {
        store_id,
        id,
        latest: i64::try_from(latest).unwrap_or(i64::MAX),
        count: i32::try_from(count).unwrap_or(i32::MAX),
    };
    restore_all(statement.load(connection)?, EventRow::restore)
}
