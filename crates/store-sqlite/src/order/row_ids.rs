//! Looks up orders by their `row_id`s.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_store_kit::{SqlText, statement};

/// Id of an order and its `row_id`.
pub(super) type IdAndRow = (String, i64);

statement! {
    struct SelectOfRows<'a> for Sqlite, returns (Text, BigInt),
    text SqlText::new(include_str!("sql/of_rows.sql"), &[]),
    {
        store_id: &'a str = Text,
        rows: &'a str = Text,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
    }
}

pub(super) fn json(numbers: &[i64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
    format!("[{}]", numbers.join(","))
}

pub(super) fn of_rows(
    connection: &mut SqliteConnection,
    store_id: &str,
    rows: &[i64],
    (from_id, before_id): (&str, &str),
) -> QueryResult<Vec<IdAndRow>> {
    let rows = &json(rows);
    let statement = SelectOfRows {
        store_id,
        rows,
        from_id,
        before_id,
    };
    statement.load(connection)
}
