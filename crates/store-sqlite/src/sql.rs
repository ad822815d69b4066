//! Runs statements on a connection to SQLite. SQLite has no arrays: a list is a JSON array.

use std::ops::ControlFlow;

use diesel::QueryResult;
use diesel::sqlite::SqliteConnection;
use pressline_store_kit::{self as kit, FromRow, NoArray, Sql, Value};

/// Names and values of parameters. Usually in the order of the statement, which is found fastest.
type Parameters<'s> = &'s [(&'static str, Value<'s>)];

/// Runs the statement. Returns the number of changed rows.
pub(crate) fn run<'s>(
    connection: &mut SqliteConnection,
    text: &'s Sql,
    values: Parameters<'s>,
) -> QueryResult<usize> {
    kit::run::<NoArray>(connection, text, values)
}

/// Returns all rows of the statement.
pub(crate) fn load<'s, R: FromRow>(
    connection: &mut SqliteConnection,
    text: &'s Sql,
    values: Parameters<'s>,
) -> QueryResult<Vec<R>> {
    kit::load::<R, NoArray>(connection, text, values)
}

/// Returns the first row of the statement, `None` without rows.
pub(crate) fn load_first<'s, R: FromRow>(
    connection: &mut SqliteConnection,
    text: &'s Sql,
    values: Parameters<'s>,
) -> QueryResult<Option<R>> {
    kit::load_first::<R, NoArray>(connection, text, values)
}

/// Calls `on_row` with each row of the statement, until it returns `Break`. Rows after that are not
/// read.
pub(crate) fn each_row<'s, R: FromRow>(
    connection: &mut SqliteConnection,
    text: &'s Sql,
    values: Parameters<'s>,
    on_row: impl FnMut(R) -> QueryResult<ControlFlow<()>>,
) -> QueryResult<()> {
    kit::each_row::<R, NoArray>(connection, text, values, on_row)
}
