//! Looks up orders by their `row_id`s.

use diesel::QueryResult;
use diesel::sqlite::SqliteConnection;
use pressline_store_kit::Sql;

use crate::sql::load;

static OF_ROWS: Sql = Sql::new(include_str!("sql/of_rows.sql"));

/// Id of an order and its `row_id`.
pub(super) type IdAndRow = (String, i64);

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
    let values = [
        ("rows", json(rows).into()),
        ("store_id", store_id.into()),
        ("from_id", from_id.into()),
        ("before_id", before_id.into()),
    ];
    load(connection, &OF_ROWS, &values)
}
