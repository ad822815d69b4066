//! Chunks of a store's orders: the parts in which its index of words is read.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::Text;
use pressline_domain::id::StoreId;
use pressline_store_kit::{SqlText, statement};

/// Orders of a chunk, about. A search looks into each chunk for a rare word, and sorts all matches
/// of a chunk for a common one.
///
/// Measured with a million orders in one store: a word of a single order took 2.8 ms of processor time,
/// and 2.1 with chunks of 8,192 orders; a word of every fifth order, absent from the newest tenth, 2.3
/// and 3.3 ms.
pub(crate) const ORDERS: i64 = 4096;

statement! {
    /// Begins a chunk of a store's orders, behind all that are stored.
    pub(crate) struct BeginChunk<'a> for Pg, returns Text,
    text SqlText::new(include_str!("../sql/begin_chunk.sql"), &[]),
    {
        store_id: &'a str = Text,
    }
}

/// Begins a chunk of a store's orders. The statement is a transaction of its own.
///
/// # Errors
/// As the database fails.
pub(crate) fn begin(connection: &mut PgConnection, store: StoreId) -> QueryResult<()> {
    let store_id = &store.to_string();
    BeginChunk { store_id }.execute(connection)?;
    Ok(())
}
