//! A write that checks whether writes work.

use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::BigInt;
use diesel::sqlite::SqliteConnection;
use pressline_store_kit::ProbeSize;

use crate::error::Failure;

pub(crate) fn write(connection: &mut SqliteConnection, size: ProbeSize) -> Result<(), Failure> {
    connection.immediate_transaction(|connection| {
        // Inserted before the old row is deleted, so that the write needs additional room on the
        // disk.
        sql_query("INSERT INTO write_probe (content) VALUES (randomblob(?))")
            .bind::<BigInt, _>(i64::from(size.bytes()))
            .execute(connection)?;
        sql_query("DELETE FROM write_probe WHERE id < last_insert_rowid()").execute(connection)?;
        Ok(())
    })
}
