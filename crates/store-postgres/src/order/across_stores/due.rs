//! Takes due orders of all stores.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use pressline_backoffice::queue::StoreFilter;
use pressline_domain::order::DueOrder;
use pressline_domain::value::Timestamp;
use pressline_store_kit::{Db, SqlText, due_order, restore_all, statement};

use crate::dialect::DIALECT;
use crate::error::Failure;

statement! {
    pub(crate) struct TakeDue<'a> for Pg, returns (Text, Text),
    text SqlText::new(include_str!("../sql/due_of_any.sql"), &[]),
    {
        now: &'a i64 = BigInt,
        count: &'a i64 = BigInt,
        until: i64 = BigInt,
    }
}

statement! {
    pub(crate) struct TakeDueOfStore<'a> for Pg, returns (Text, Text),
    text SqlText::new(include_str!("../sql/due_of_one.sql"), &[]),
    {
        store_id: &'a str = Text,
        now: i64 = BigInt,
        until: i64 = BigInt,
        of_store: i64 = BigInt,
    }
}

/// Divisor for the minimum share of a store, if each store needs its own statement: a sixteenth of
/// `count`, the due orders to take, so that the statement is worth its cost. Up to 16 stores get
/// equal shares.
const STORES_AT_LEAST: i64 = 16;

/// Takes about `count` orders. No other server takes them before `until`, their new due time.
pub(crate) fn take(
    connection: &mut PgConnection,
    now: Timestamp,
    until: Timestamp,
    count: u32,
    distributed: bool,
) -> Result<Vec<DueOrder>, Failure> {
    let (now, until, count) = (now.as_millis(), until.as_millis(), i64::from(count));
    let rows: Vec<(String, String)> = if distributed {
        take_by_store(connection, now, until, count)?
    } else {
        let statement = TakeDue {
            now: &now,
            count: &count,
            until,
        };
        statement.load(connection)?
    };
    restore_all(&rows, |(store, order)| due_order(store, order))
}

/// Takes due orders store by store, because distributed tables need a statement per store.
fn take_by_store(
    connection: &mut PgConnection,
    now: i64,
    until: i64,
    count: i64,
) -> Result<Vec<(String, String)>, Failure> {
    let all = StoreFilter {
        set: None,
        with_test: true,
    };
    let mut ids = Db::new(connection, &DIALECT).store_ids(&all)?;
    let stores = i64::try_from(ids.len().max(1)).unwrap_or(i64::MAX);
    // An equal share, or enough to be worth a statement for each store.
    let of_store = (count / stores).max(count / STORES_AT_LEAST).max(1);
    // Starts with another store each time, so that no store is always first.
    let first = usize::try_from(now.rem_euclid(stores)).unwrap_or(0);
    ids.rotate_left(first);
    let mut rows = Vec::new();
    for store_id in &ids {
        if i64::try_from(rows.len()).unwrap_or(i64::MAX) >= count {
            break;
        }
        let statement = TakeDueOfStore {
            store_id,
            now,
            until,
            of_store,
        };
        rows.extend(statement.load::<(String, String)>(connection)?);
    }
    Ok(rows)
}
