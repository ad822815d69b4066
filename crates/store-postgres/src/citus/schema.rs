//! Keeps the tables and functions of a Citus cluster complete.

use diesel::pg::PgConnection;

use super::functions::{drop_unused, ensure};
use super::tables::{self, NodeTables, is_distributed};
use crate::error::Failure;

/// Distributes the tables that are not distributed yet, and creates the functions that write
/// orders.
pub(crate) fn distribute(connection: &mut PgConnection) -> Result<NodeTables, Failure> {
    let tables = tables::distribute(connection)?;
    ensure(connection)?;
    Ok(tables)
}

/// Adapts a database to this version, after its migrations. `has_new` says whether a migration was
/// applied, which may have created a table. Changes nothing if the tables are not distributed.
pub(crate) fn follow_migrations(
    connection: &mut PgConnection,
    has_new: bool,
) -> Result<(), Failure> {
    if !is_distributed(connection)? {
        return Ok(());
    }
    if has_new {
        tables::distribute(connection)?;
    }
    ensure(connection)?;
    drop_unused(connection)?;
    Ok(())
}
