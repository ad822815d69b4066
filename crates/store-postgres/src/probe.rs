//! A write that checks whether writes work.

use diesel::dsl::sql;
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Integer};
use pressline_store_kit::ProbeSize;

use crate::error::Failure;

/// Statement that updates the only row of `write_probe`, unless another server is updating it. The
/// statement changes no other table, but fails if the user may not write the order tables.
const PROBE: &str = "
WITH
    orders_are_writable AS (INSERT INTO orders SELECT * FROM orders WHERE false),
    words_are_writable AS (INSERT INTO order_words SELECT * FROM order_words WHERE false),
    items_are_writable AS (INSERT INTO line_items SELECT * FROM line_items WHERE false),
    counters_are_writable AS (UPDATE store_counters SET last_number = last_number WHERE false)
UPDATE write_probe
SET content = decode(repeat('00', $1), 'hex')
WHERE id = (SELECT id FROM write_probe WHERE id = 1 FOR UPDATE SKIP LOCKED)";

/// Statement that rewrites the row of `write_probe`, and waits for other servers that do so.
const GROW: &str = "UPDATE write_probe SET content = decode(repeat('00', $1), 'hex') WHERE id = 1";

const SIZE: &str = "SELECT pg_table_size('write_probe')";

pub(crate) fn write(connection: &mut PgConnection, size: ProbeSize) -> Result<(), Failure> {
    if size == ProbeSize::Large {
        connection.transaction(grow)?;
    }
    sql_query(PROBE)
        .bind::<Integer, _>(ProbeSize::Small.bytes())
        .execute(connection)?;
    Ok(())
}

/// Writes until the table has grown by [`ProbeSize::Large`]. Room that earlier probes left in the
/// table proves nothing: orders cannot use it.
fn grow(connection: &mut PgConnection) -> Result<(), Failure> {
    let bytes = ProbeSize::Large.bytes();
    let enough = table_size(connection)? + i64::from(bytes);
    loop {
        let rows = sql_query(GROW)
            .bind::<Integer, _>(bytes)
            .execute(connection)?;
        // Without a row, the table would never grow.
        if rows == 0 || table_size(connection)? >= enough {
            return Ok(());
        }
    }
}

fn table_size(connection: &mut PgConnection) -> QueryResult<i64> {
    sql::<BigInt>(SIZE).get_result(connection)
}
