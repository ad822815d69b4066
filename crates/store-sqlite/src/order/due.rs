//! The statements over several stores: what is due is found for all of them. No request of a store sends
//! one of these.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::DueOrder;
use pressline_domain::time::Timestamp;
use pressline_store_kit::{SqlText, due_order, statement};

use crate::error::Failure;

statement! {
    /// Asks whether an order is due.
    struct AnyDue<'a> for Sqlite, returns Bool,
    text SqlText::new(include_str!("sql/any_due.sql"), &[]),
    {
        now: &'a i64 = BigInt,
    }
}

statement! {
    /// Takes orders that are due.
    struct TakeDue<'a> for Sqlite, returns (Text, Text),
    text SqlText::new(include_str!("sql/due.sql"), &[]),
    {
        now: &'a i64 = BigInt,
        until: i64 = BigInt,
        count: i64 = BigInt,
    }
}

/// Returns whether an order is due.
pub(super) fn is_any(connection: &mut SqliteConnection, now: Timestamp) -> Result<bool, Failure> {
    let now = &now.as_millis();
    Ok(AnyDue { now }.get_result(connection)?)
}

/// Takes orders that are due, at most so many, and moves their due times.
pub(super) fn take(
    connection: &mut SqliteConnection,
    now: Timestamp,
    until: Timestamp,
    count: u32,
) -> Result<Vec<DueOrder>, Failure> {
    let statement = TakeDue {
        now: &now.as_millis(),
        until: until.as_millis(),
        count: i64::from(count),
    };
    let rows: Vec<(String, String)> =
        connection.immediate_transaction(|connection| statement.load(connection))?;
    let due = rows.iter().map(|(store, order)| due_order(store, order));
    Ok(due.collect::<Result<_, RepositoryError>>()?)
}
