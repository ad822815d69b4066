//! Chunks of a store's orders: the parts into which the word index is divided.

use diesel::dsl::max;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_store_kit::schema::orders;
use pressline_store_kit::{OrderRow, SqlText, statement};

/// Approximate number of orders in a chunk. For a rare word, a search looks into each chunk; for a
/// common word, it reads all matches of a chunk.
pub(crate) const ORDERS: i64 = 8192;

diesel::table! {
    order_chunks (chunk) {
        chunk -> BigInt,
        store_id -> Text,
        from_id -> Text,
    }
}

statement! {
    struct ChunkOf<'a> for Sqlite, returns BigInt,
    text SqlText::new(include_str!("sql/chunk_of.sql"), &[]),
    {
        store_id: &'a str = Text,
        id: &'a str = Text,
    }
}

#[derive(Debug)]
pub(super) struct LatestChunk {
    pub(super) number: i64,
    /// Lower bound of the order ids in the chunk, inclusive.
    pub(super) from: String,
}

impl LatestChunk {
    /// Returns the number of an earlier chunk if the id of `order` is below `from`.
    pub(super) fn or_earlier(
        &self,
        connection: &mut SqliteConnection,
        order: &OrderRow,
    ) -> QueryResult<i64> {
        if order.id >= self.from {
            return Ok(self.number);
        }
        // A late order, from a server with a slow clock, belongs to the chunk of its time.
        of(connection, &order.store_id, &order.id)
    }

    /// Begins the next chunk, after the newest order, if a multiple of `orders_of_chunk` is among
    /// the order numbers from `first` to `last`. Does nothing if this chunk is empty.
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

pub(super) fn of(connection: &mut SqliteConnection, store_id: &str, id: &str) -> QueryResult<i64> {
    ChunkOf { store_id, id }.get_result(connection)
}
