//! The migrations of SQLite, applied by one process at a time.

use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{Migration, Migrations};

use crate::connection::{Opener, Purpose};
use crate::dialect::DIALECT;
use crate::error::repository;

pub(crate) const MIGRATIONS: Migrations = Migrations {
    list: &[Migration {
        name: "0001_initial",
        text: include_str!("../migrations/0001_initial/up.sql"),
    }],
    dialect: &DIALECT,
    look: "SELECT
             EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'pressline_migrations'),
             EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'stores'),
             CAST(unixepoch('subsec') * 1000 AS INTEGER)",
};

/// Applies all pending migrations or none, in a transaction that has the write lock from its start.
pub(crate) fn migrate(opener: &Opener) -> Result<Vec<String>, RepositoryError> {
    let mut connection = opener.open(Purpose::Write)?;
    // Without this check, each start would wait for the write lock.
    let pending = MIGRATIONS.pending(&mut connection).map_err(repository)?;
    if pending.is_empty() {
        return Ok(pending);
    }
    let applied = connection.immediate_transaction(|connection: &mut SqliteConnection| {
        MIGRATIONS.apply(connection, opener.tariff())
    });
    applied.map_err(repository)
}
