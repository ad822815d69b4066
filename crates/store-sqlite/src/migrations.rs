//! The migrations, embedded, and applied by one process at a time.

use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::Integer;
use diesel::sqlite::{Sqlite, SqliteConnection};
use diesel_migrations::{EmbeddedMigrations, embed_migrations};
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{PendingMigrations, lacking_migrations};

use crate::connection::{Opener, Purpose};
use crate::error::{Failure, repository};

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("migrations");

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = Integer)]
    tables: i32,
}

/// The names of the migrations that the file lacks.
pub(crate) fn pending(connection: &mut SqliteConnection) -> Result<Vec<String>, Failure> {
    let versions: Count = sql_query(
        "SELECT count(*) AS tables
         FROM sqlite_schema
         WHERE type = 'table' AND name = '__diesel_schema_migrations'",
    )
    .get_result(connection)?;
    lacking_migrations::<Sqlite>(connection, &MIGRATIONS, versions.tables > 0)
}

/// Applies the pending migrations, all or none, in a transaction that excludes other writers from
/// its beginning. Returns their names.
pub(crate) fn migrate(opener: &Opener) -> Result<Vec<String>, RepositoryError> {
    let mut connection = opener.open(Purpose::Write)?;
    // Without this check, a program would wait for the write lock at every start.
    if pending(&mut connection).map_err(repository)?.is_empty() {
        return Ok(Vec::new());
    }
    let applied = connection.immediate_transaction(|connection| {
        let pending = PendingMigrations::of(connection, MIGRATIONS)?;
        pending.apply(connection, opener.tariff())
    });
    applied.map_err(repository)
}
