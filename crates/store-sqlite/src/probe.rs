//! A write that checks whether writes work.

use diesel::sqlite::SqliteConnection;
use pressline_store_kit::{ProbeSize, Sql};

use crate::error::Failure;
use crate::sql::run;

static INSERT: Sql = Sql::new("INSERT INTO write_probe (content) VALUES (randomblob(:bytes))");
static DELETE: Sql = Sql::new("DELETE FROM write_probe WHERE id < last_insert_rowid()");

pub(crate) fn write(connection: &mut SqliteConnection, size: ProbeSize) -> Result<(), Failure> {
    connection.immediate_transaction(|connection| {
        // Inserted before the old row is deleted, so that the write needs additional room on the
        // disk.
        run(connection, &INSERT, &[("bytes", size.bytes().into())])?;
        run(connection, &DELETE, &[])?;
        Ok(())
    })
}
