//! Chunks of a store's orders: the parts into which the word index is divided.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::Text;
use pressline_domain::value::StoreId;
use pressline_store_kit::{SqlText, statement};

/// Approximate number of orders in a chunk. For a rare word, a search looks into each chunk; for a
/// common word, it sorts all matches of a chunk.
///
/// Measured with a million orders in a store, in processor time. The search for a word of a single
/// order took 2.8 ms, or 2.1 ms with chunks of 8,192 orders. The search for a word of every fifth
/// order, absent from the newest tenth, took 2.3 ms, or 3.3 ms with chunks of 8,192 orders.
pub(crate) const ORDERS: i64 = 4096;

statement! {
    /// Begins a chunk after a store's newest order, unless the store's latest chunk is empty.
    pub(crate) struct BeginChunk<'a> for Pg, returns Text,
    text SqlText::new(include_str!("../sql/begin_chunk.sql"), &[]),
    {
        store_id: &'a str = Text,
    }
}

pub(crate) fn begin(connection: &mut PgConnection, store: StoreId) -> QueryResult<()> {
    let store_id = &store.to_string();
    BeginChunk { store_id }.execute(connection)?;
    Ok(())
}
