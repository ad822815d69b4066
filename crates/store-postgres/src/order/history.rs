//! The statement that reads an order's events.

use diesel::pg::PgConnection;
use pressline_domain::event::Event;
use pressline_store_kit::{EventRow, Sql, restore_all};

use crate::arrays::load;
use crate::error::Failure;

pub(crate) static EVENTS: Sql = Sql::new(include_str!("sql/events.sql"));

/// Returns events from `latest` backwards; none if the order does not have the event `latest`.
pub(crate) fn events(
    connection: &mut PgConnection,
    (store_id, id): (&str, &str),
    latest: u64,
    count: u32,
) -> Result<Vec<Event>, Failure> {
    let count = i32::try_from(count).unwrap_or(i32::MAX);
    let values = [
        ("store_id", store_id.into()),
        ("id", id.into()),
        ("latest", latest.into()),
        ("count", count.into()),
    ];
    restore_all(load(connection, &EVENTS, &values)?, EventRow::restore)
}
