//! A write that checks whether writes work.

use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Integer;
use pressline_store_kit::ProbeSize;

use crate::error::Failure;

/// Updates the only row of `write_probe`, unless another server is updating it. The other parts
/// change no row: the statement fails if the user may not write the tables of orders.
const PROBE: &str = "
WITH
    orders_are_writable AS (INSERT INTO orders SELECT * FROM orders WHERE false),
    words_are_writable AS (INSERT INTO order_words SELECT * FROM order_words WHERE false),
    items_are_writable AS (INSERT INTO line_items SELECT * FROM line_items WHERE false),
    counters_are_writable AS (UPDATE store_counters SET last_number = last_number WHERE false)
UPDATE write_probe
SET content = decode(repeat('00', $1), 'hex')
WHERE id = (SELECT id FROM write_probe WHERE id = 1 FOR UPDATE SKIP LOCKED)";

pub(crate) fn write(connection: &mut PgConnection, size: ProbeSize) -> Result<(), Failure> {
    let bytes = i32::try_from(size.bytes()).unwrap_or(i32::MAX);
    sql_query(PROBE)
        .bind::<Integer, _>(bytes)
        .execute(connection)?;
    Ok(())
}
