//! The migrations, embedded, and applied by one process at a time.

use diesel::migration::{Migration, MigrationSource};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Integer, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use pressline_domain::error::{RepositoryError, Source};

use crate::connection::{Opener, Purpose};
use crate::error::Failure;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("migrations");

#[derive(QueryableByName)]
struct Applied {
    #[diesel(sql_type = Text)]
    version: String,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = Integer)]
    tables: i32,
}

/// The names of the migrations that the file lacks.
pub(crate) fn pending(connection: &mut SqliteConnection) -> Result<Vec<String>, Failure> {
    // diesel's own function makes the table of versions where there is none, which a look must not
    // do.
    let made: Count = sql_query(
        "SELECT count(*) AS tables FROM sqlite_schema WHERE type = 'table' AND name = '__diesel_schema_migrations'",
    )
    .get_result(connection)?;
    let applied: Vec<Applied> = if made.tables > 0 {
        sql_query("SELECT version FROM __diesel_schema_migrations").load(connection)?
    } else {
        Vec::new()
    };
    let all: Vec<Box<dyn Migration<Sqlite>>> = MIGRATIONS.migrations().map_err(refused)?;
    let lacks = |migration: &dyn Migration<Sqlite>| {
        let version = migration.name().version().to_string();
        applied.iter().all(|applied| applied.version != version)
    };
    Ok(all
        .iter()
        .filter(|migration| lacks(migration.as_ref()))
        .map(|migration| migration.name().to_string())
        .collect())
}

/// Applies what is pending, all or nothing, in a transaction that keeps other writers out from its
/// begin.
pub(crate) fn migrate(opener: &Opener) -> Result<Vec<String>, RepositoryError> {
    let mut connection = opener.open(Purpose::Write)?;
    // Looks before it locks, so that a program that starts beside a busy one does not wait for
    // nothing.
    if pending(&mut connection)?.is_empty() {
        return Ok(Vec::new());
    }
    let applied: Result<Vec<String>, Failure> = connection.immediate_transaction(|connection| {
        let pending = connection.pending_migrations(MIGRATIONS).map_err(refused)?;
        let mut names = Vec::with_capacity(pending.len());
        for migration in &pending {
            connection.run_migration(migration).map_err(refused)?;
            let name = migration.name().to_string();
            tracing::info!(migration = name, "applied a migration");
            names.push(name);
        }
        Ok(names)
    });
    Ok(applied?)
}

fn refused(error: Source) -> Failure {
    match error.downcast::<diesel::result::Error>() {
        Ok(error) => Failure::from(*error),
        Err(error) => RepositoryError::Refused(error).into(),
    }
}
