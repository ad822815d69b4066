//! Chunks of a store's orders: the parts into which the word index is divided.

use diesel::QueryResult;
use diesel::pg::PgConnection;
use pressline_domain::value::StoreId;
use pressline_store_kit::Sql;

use crate::arrays::run;

/// Approximate number of orders in a chunk. For a rare word, a search looks into each chunk; for a
/// common word, it sorts all matches of a chunk.
///
/// Measured with a million orders in a store, in processor time. The search for a word of a single
/// order took 2.8 ms, or 2.1 ms with chunks of 8,192 orders. The search for a word of every fifth
/// order, absent from the newest tenth, took 2.3 ms, or 3.3 ms with chunks of 8,192 orders.
pub(crate) const ORDERS: i64 = 4096;

/// Begins a chunk after a store's newest order, unless the store's latest chunk is empty.
pub(crate) static BEGIN_CHUNK: Sql = Sql::new(include_str!("../sql/begin_chunk.sql"));

pub(crate) fn begin(connection: &mut PgConnection, store: StoreId) -> QueryResult<()> {
    run(connection, &BEGIN_CHUNK, &[("store_id", store.into())])?;
    Ok(())
}
