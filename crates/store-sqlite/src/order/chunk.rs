//! Chunks of a store's orders: the parts into which its word index is divided.

use diesel::dsl::max;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_store_kit::schema::orders;
use pressline_store_kit::{SqlText, statement};

/// Approximate number of orders in a chunk. A search looks up a rare word in each chunk, and reads
/// all matches of a chunk for a common word.
pub(crate) const ORDERS: i64 = 8192;

diesel::table! {
    order_chunks (chunk) {
        chunk -> BigInt,
        store_id -> Text,
        from_id -> Text,
    }
}

statement! {
    /// Reads the chunk of the order `id`.
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
    /// Lower bound of its ids, inclusive.
    pub(super) from: String,
}

impl LatestChunk {
    /// Returns the number of the chunk of the store's order `id`.
    pub(super) fn or_earlier(
        &self,
        connection: &mut SqliteConnection,
        store_id: &str,
        id: &str,
    ) -> QueryResult<i64> {
        if id >= self.from.as_str() {
            return Ok(self.number);
        }
        // A late order, from a server with a slow clock, belongs to the chunk of its time.
        of(connection, store_id, id)
    }

    /// Begins the next chunk, after all orders of the store, if the stored numbers from `first` to
    /// `last` contain a multiple of `orders_of_chunk`.
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
        // All new orders were late: the chunk would stay empty.
        let Some(newest) = newest.filter(|newest| *newest >= self.from) else {
            return Ok(());
        };
        // The smallest string above the newest id: the id with a character appended.
        begin(connection, store_id, &format!("{newest}+"))
    }
}

/// Begins a chunk of a store, with `from` as the lower bound of its ids.
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

/// Returns the number of the chunk of the store's order `id`.
pub(super) fn of(connection: &mut SqliteConnection, store_id: &str, id: &str) -> QueryResult<i64> {
    ChunkOf { store_id, id }.get_result(connection)
}
