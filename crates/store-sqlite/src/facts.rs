//! Facts about the database for the console.

use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::SqliteConnection;
use pressline_store_kit::DatabaseFacts;

use crate::error::Failure;

#[derive(QueryableByName)]
struct FactRow {
    #[diesel(sql_type = Text)]
    version: String,
    #[diesel(sql_type = BigInt)]
    bytes: i64,
}

/// Reads the version of SQLite and the size of the file without its log. `now` is `None`, because
/// SQLite uses this process's clock.
pub(crate) fn read(connection: &mut SqliteConnection) -> Result<DatabaseFacts, Failure> {
    let text = "SELECT sqlite_version() AS version, page_count * page_size AS bytes
                FROM pragma_page_count(), pragma_page_size()";
    let row: FactRow = sql_query(text).get_result(connection)?;
    Ok(DatabaseFacts {
        version: row.version,
        bytes: u64::try_from(row.bytes).unwrap_or(0),
        now: None,
    })
}
