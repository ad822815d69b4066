//! Chunks of a store's orders: the parts in which its index of words is read.

use diesel::dsl::max;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_store_kit::schema::orders;
use pressline_store_kit::{SqlText, statement};

/// Orders of a chunk, about. A search looks into each chunk for a rare word, and reads all matches of
/// a chunk for a common one.
pub(crate) const ORDERS: i64 = 8192;

diesel::table! {
    order_chunks (chunk) {
        chunk -> BigInt,
        store_id -> Text,
        from_id -> Text,
    }
}

statement! {
    /// Reads the chunk of an order.
    struct ChunkOf<'a> for Sqlite, returns BigInt,
    text SqlText::new(include_str!("sql/chunk_of.sql"), &[]),
    {
        store_id: &'a str = Text,
        id: &'a str = Text,
    }
}

/// The latest chunk of a store.
#[derive(Debug)]
pub(super) struct LatestChunk {
    pub(super) number: i64,
    /// It has the ids from this text on.
    pub(super) from: String,
}

impl LatestChunk {
    /// Returns the number of the chunk that the store's order with an id belongs to.
    pub(super) fn or_earlier(
        &self,
        connection: &mut SqliteConnection,
        store_id: &str,
        id: &str,
    ) -> QueryResult<i64> {
        if id >= self.from.as_str() {
            return Ok(self.number);
        }
        // An order that comes late, by a clock that is behind, belongs to the chunk of its time.
        of(connection, store_id, id)
    }

    /// Begins the next chunk, behind all orders of the store, if the numbers from `first` to `last`,
    /// which were stored with this one as the latest, complete a chunk of so many orders.
    pub(super) fn end_after(
        &self,
        connection: &mut SqliteConnection,
        store_id: &str,
        (first, last): (i64, i64),
        orders_of_chunk: i64,
    ) -> QueryResult<()> {
        if last / orders_of_chunk == first.saturating_sub(1) / orders_of_chunk {
            return Ok(());
        }
        let newest: Option<String> = orders::table
            .filter(orders::store_id.eq(store_id))
            .select(max(orders::id))
            .first(connection)?;
        // All orders came late: the chunk would be left without an order.
        let Some(newest) = newest.filter(|newest| *newest >= self.from) else {
            return Ok(());
        };
        // The least text above the newest id: with any character behind it.
        begin(connection, store_id, &format!("{newest}+"))
    }
}

/// Begins a chunk of a store with the ids from a text on.
fn begin(connection: &mut SqliteConnection, store_id: &str, from: &str) -> QueryResult<()> {
    let row = (
        order_chunks::store_id.eq(store_id),
        order_chunks::from_id.eq(from),
    );
    diesel::insert_into(order_chunks::table)
        .values(row)
        .execute(connection)?;
    Ok(())
}

/// Returns the number of the chunk that the store's order with an id belongs to.
pub(super) fn of(connection: &mut SqliteConnection, store_id: &str, id: &str) -> QueryResult<i64> {
    ChunkOf { store_id, id }.get_result(connection)
}
