//! A write that checks whether writes work.

use diesel::connection::Connection;
use diesel::pg::PgConnection;
use diesel::result::{Error as DieselError, QueryResult};
use pressline_store_kit::{ProbeSize, Sql};

use crate::arrays::{load_first, run};
use crate::error::Failure;

/// Updates the only row of `write_probe`, unless another server is updating it. The
/// statement changes no other table, but fails if the user may not write the order tables.
static PROBE: Sql = Sql::new(
    "WITH
         orders_are_writable AS (INSERT INTO orders SELECT * FROM orders WHERE false),
         words_are_writable AS (INSERT INTO order_words SELECT * FROM order_words WHERE false),
         items_are_writable AS (INSERT INTO line_items SELECT * FROM line_items WHERE false),
         counters_are_writable AS (
             UPDATE store_counters SET last_number = last_number WHERE false
         )
     UPDATE write_probe
     SET content = decode(repeat('00', :bytes::INTEGER), 'hex')
     WHERE id = (SELECT id FROM write_probe WHERE id = 1 FOR UPDATE SKIP LOCKED)",
);

/// Rewrites the row of `write_probe`, and waits for other servers that do so.
static GROW: Sql = Sql::new(
    "UPDATE write_probe
     SET content = decode(repeat('00', :bytes::INTEGER), 'hex')
     WHERE id = 1",
);

static SIZE: Sql = Sql::new("SELECT pg_table_size('write_probe')");

pub(crate) fn write(connection: &mut PgConnection, size: ProbeSize) -> Result<(), Failure> {
    if size == ProbeSize::Large {
        connection.transaction(grow)?;
    }
    let bytes = ProbeSize::Small.bytes();
    run(connection, &PROBE, &[("bytes", bytes.into())])?;
    Ok(())
}

/// Writes until the table has grown by [`ProbeSize::Large`]. Room that earlier probes left in the
/// table proves nothing: orders cannot use it.
fn grow(connection: &mut PgConnection) -> Result<(), Failure> {
    let bytes = ProbeSize::Large.bytes();
    let enough = table_size(connection)? + i64::from(bytes);
    loop {
        let rows = run(connection, &GROW, &[("bytes", bytes.into())])?;
        // Without a row, the table would never grow.
        if rows == 0 || table_size(connection)? >= enough {
            return Ok(());
        }
    }
}

fn table_size(connection: &mut PgConnection) -> QueryResult<i64> {
    load_first(connection, &SIZE, &[])?.ok_or(DieselError::NotFound)
}
