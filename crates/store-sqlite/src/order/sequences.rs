//! The sequences of events.

use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use pressline_store_kit::schema::event_counters;

/// Takes so many sequences for events of a store, and returns the first. If the transaction is undone, they
/// are free again.
pub(super) fn take(
    connection: &mut SqliteConnection,
    store_id: &str,
    count: i64,
) -> QueryResult<i64> {
    let last: i64 = diesel::update(event_counters::table.find(store_id))
        .set(event_counters::last_sequence.eq(event_counters::last_sequence + count))
        .returning(event_counters::last_sequence)
        .get_result(connection)?;
    Ok(last.saturating_sub(count).saturating_add(1))
}
