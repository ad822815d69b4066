//! Facts about the database for the console.

use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text};
use pressline_domain::value::time::Timestamp;
use pressline_store_kit::DatabaseFacts;

use crate::error::Failure;

#[derive(QueryableByName)]
struct FactRow {
    #[diesel(sql_type = Text)]
    version: String,
    #[diesel(sql_type = BigInt)]
    bytes: i64,
    #[diesel(sql_type = BigInt)]
    now: i64,
}

/// Reads version, size and clock of the server. In a cluster, of the connected node only.
pub(crate) fn read(connection: &mut PgConnection) -> Result<DatabaseFacts, Failure> {
    let text = "SELECT current_setting('server_version') AS version,
                    pg_database_size(current_database()) AS bytes,
                    (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now";
    let row: FactRow = sql_query(text).get_result(connection)?;
    Ok(DatabaseFacts {
        version: row.version,
        bytes: u64::try_from(row.bytes).unwrap_or(0),
        now: Some(Timestamp::from_millis(row.now)),
    })
}
