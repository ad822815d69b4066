//! The statements over several stores: what is due is found for all of them. No request of a store sends
//! one of these.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::DueOrder;
use pressline_domain::time::Timestamp;
use pressline_store_kit::{SqlText, due_order, statement};

use crate::error::Failure;

/// Orders of one store that are taken at a time, so that a store with many does not keep the others
/// waiting.
const OF_STORE: i64 = 64;

statement! {
    /// Takes orders of any stores that are due.
    pub(crate) struct TakeDue<'a> for Pg, returns (Text, Text),
    text SqlText::new(include_str!("sql/due_of_any.sql"), &[]),
    {
        now: &'a i64 = BigInt,
        until: i64 = BigInt,
        of_store: i64 = BigInt,
        count: i64 = BigInt,
    }
}

statement! {
    /// Takes orders of a store that are due.
    pub(crate) struct TakeDueOfStore<'a> for Pg, returns (Text, Text),
    text SqlText::new(include_str!("sql/due_of_one.sql"), &[]),
    {
        store_id: &'a str = Text,
        now: i64 = BigInt,
        until: i64 = BigInt,
        of_store: i64 = BigInt,
    }
}

diesel::table! {
    /// The ids of all stores.
    stores (store_id) {
        /// The store.
        store_id -> Text,
    }
}

/// Takes orders that are due, at most about so many, and leaves them to this server until a moment.
pub(crate) fn take(
    connection: &mut PgConnection,
    now: Timestamp,
    until: Timestamp,
    count: u32,
    distributed: bool,
) -> Result<Vec<DueOrder>, Failure> {
    let (now, until) = (now.as_millis(), until.as_millis());
    let (count, of_store) = (i64::from(count), OF_STORE.min(i64::from(count)));
    let mut rows: Vec<(String, String)> = Vec::new();
    if distributed {
        // A statement names one store there. An order that is taken beyond the count is done as well.
        let ids: Vec<String> = stores::table.select(stores::store_id).load(connection)?;
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
    } else {
        let statement = TakeDue {
            now: &now,
            until,
            of_store,
            count,
        };
        rows = statement.load(connection)?;
    }
    let due = rows.iter().map(|(store, order)| due_order(store, order));
    Ok(due.collect::<Result<_, RepositoryError>>()?)
}
