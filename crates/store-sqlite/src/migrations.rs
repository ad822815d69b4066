//! The migrations, embedded, and applied by one process at a time.

use diesel::migration::{Migration, MigrationSource};
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::{Integer, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::pricing::tariff::Tariff;
use pressline_store_kit::schema::{fee_schedules, shipping_rates};
use pressline_store_kit::{fees_document, shipping_document};

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
        let first = first(pending.len(), opener.tariff())?;
        let names = apply(connection, &pending, first)?;
        Ok(names)
    });
    Ok(applied?)
}

/// Applies migrations, and gives a database that had none its first rates and fees.
fn apply(
    connection: &mut SqliteConnection,
    pending: &[Box<dyn Migration<Sqlite>>],
    first: Option<&Tariff>,
) -> Result<Vec<String>, Failure> {
    let mut names = Vec::with_capacity(pending.len());
    for migration in pending {
        connection.run_migration(migration).map_err(refused)?;
        let name = migration.name().to_string();
        tracing::info!(migration = name, "applied a migration");
        names.push(name);
    }
    if let Some(tariff) = first {
        write_first(connection, tariff)?;
    }
    Ok(names)
}

/// Writes the rates and the service's fees of a new database.
fn write_first(connection: &mut SqliteConnection, tariff: &Tariff) -> Result<(), Failure> {
    diesel::insert_into(shipping_rates::table)
        .values((
            shipping_rates::id.eq(1),
            shipping_rates::document.eq(shipping_document(&tariff.shipping)?),
        ))
        .execute(connection)?;
    let (store_id, document) = fees_document(None, &tariff.fees)?;
    diesel::insert_into(fee_schedules::table)
        .values((
            fee_schedules::store_id.eq(store_id),
            fee_schedules::document.eq(document),
        ))
        .execute(connection)?;
    Ok(())
}

/// The rates and fees to write: only where all migrations are pending, and where there are any.
fn first(pending: usize, tariff: &Tariff) -> Result<Option<&Tariff>, Failure> {
    let all: Vec<Box<dyn Migration<Sqlite>>> = MIGRATIONS.migrations().map_err(refused)?;
    let is_new = pending == all.len();
    Ok((is_new && *tariff != Tariff::default()).then_some(tariff))
}

fn refused(error: Source) -> Failure {
    match error.downcast::<diesel::result::Error>() {
        Ok(error) => Failure::from(*error),
        Err(error) => RepositoryError::Refused(error).into(),
    }
}
