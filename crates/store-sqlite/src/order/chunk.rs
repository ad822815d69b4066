//! Chunks of a store's orders: the parts into which the word index is divided.

use diesel::QueryResult;
use diesel::result::Error::NotFound;
use diesel::sqlite::SqliteConnection;
use pressline_store_kit::{OrderRow, Sql};

use crate::sql::{load_first, run};

static CHUNK_OF: Sql = Sql::new(include_str!("sql/chunk_of.sql"));
static NEWEST: Sql = Sql::new("SELECT max(id) AS id FROM orders WHERE store_id = :store_id");
static BEGIN: Sql =
    Sql::new("INSERT INTO order_chunks (store_id, from_id) VALUES (:store_id, :from_id)");

/// Approximate number of orders in a chunk. For a rare word, a search looks into each chunk; for a
/// common word, it reads all matches of a chunk.
pub(crate) const ORDERS: i64 = 8192;

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
        let values = [("store_id", store_id.into())];
        let newest: Option<Option<String>> = load_first(connection, &NEWEST, &values)?;
        // All new orders were late: the chunk would stay empty.
        let Some(newest) = newest.flatten().filter(|newest| *newest >= self.from) else {
            return Ok(());
        };
        // The smallest string above the newest id: the id with a character appended.
        begin(connection, store_id, &format!("{newest}+"))
    }
}

fn begin(connection: &mut SqliteConnection, store_id: &str, from: &str) -> QueryResult<()> {
    let values = [("store_id", store_id.into()), ("from_id", from.into())];
    run(connection, &BEGIN, &values)?;
    Ok(())
}

pub(super) fn of(connection: &mut SqliteConnection, store_id: &str, id: &str) -> QueryResult<i64> {
    let values = [("store_id", store_id.into()), ("id", id.into())];
    load_first(connection, &CHUNK_OF, &values)?.ok_or(NotFound)
}
