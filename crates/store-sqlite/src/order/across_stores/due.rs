//! Takes due orders of all stores.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::order::DueOrder;
use pressline_domain::value::Timestamp;
use pressline_store_kit::{SqlText, due_order, restore_all, statement};

use crate::error::Failure;

statement! {
    struct DueStores<'a> for Sqlite, returns Text,
    text SqlText::new(include_str!("../sql/due_stores.sql"), &[]),
    {
        now: &'a i64 = BigInt,
        count: i64 = BigInt,
    }
}

statement! {
    struct TakeDue<'a> for Sqlite, returns (Text, Text),
    text SqlText::new(include_str!("../sql/due.sql"), &[]),
    {
        until: i64 = BigInt,
        store_id: &'a str = Text,
        now: i64 = BigInt,
        of_store: i64 = BigInt,
    }
}

/// Returns store ids, the store that has waited longest first.
pub(in crate::order) fn due_stores(
    connection: &mut SqliteConnection,
    now: Timestamp,
    count: u32,
) -> Result<Vec<String>, Failure> {
    let (now, count) = (&now.as_millis(), i64::from(count));
    Ok(DueStores { now, count }.load(connection)?)
}

/// Takes about `count` orders, an equal share of each store, so that no store delays the others. No
/// other server takes them before `until`, their new due time.
pub(in crate::order) fn take(
    connection: &mut SqliteConnection,
    stores: &[String],
    now: Timestamp,
    until: Timestamp,
    count: u32,
) -> Result<Vec<DueOrder>, Failure> {
    let of_store = i64::from(count) / i64::try_from(stores.len().max(1)).unwrap_or(i64::MAX);
    let rows = connection.immediate_transaction(|connection| {
        let mut rows: Vec<(String, String)> = Vec::new();
        for store_id in stores {
            let statement = TakeDue {
                until: until.as_millis(),
                store_id,
                now: now.as_millis(),
                of_store: of_store.max(1),
            };
            rows.extend(statement.load::<(String, String)>(connection)?);
        }
        Ok::<_, diesel::result::Error>(rows)
    })?;
    restore_all(&rows, |(store, order)| due_order(store, order))
}
