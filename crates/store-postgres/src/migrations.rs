//! The migrations, embedded, and applied by one process at a time.

use diesel::connection::SimpleConnection;
use diesel::migration::{Migration, MigrationSource};
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::result::DatabaseErrorKind;
use diesel::sql_query;
use diesel::sql_types::{Bool, Text};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::pricing::tariff::Tariff;
use pressline_store_kit::schema::{fee_schedules, shipping_rates};
use pressline_store_kit::{fees_document, shipping_document};

use crate::error::Failure;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("migrations");

/// How often the lock's table is made before its failure counts: PostgreSQL refuses one of two that
/// do so at once.
const LOCK_ATTEMPTS: u32 = 5;

/// Applies migrations over connections of its own, as these may take longer than a request.
pub(crate) struct Migrator {
    url: String,
    /// Rates and fees that a new database gets.
    tariff: Tariff,
}

#[derive(QueryableByName)]
struct Applied {
    #[diesel(sql_type = Text)]
    version: String,
}

#[derive(QueryableByName)]
struct Existence {
    #[diesel(sql_type = Bool)]
    exists: bool,
}

/// The names of the migrations that the database lacks.
pub(crate) fn pending(connection: &mut PgConnection) -> Result<Vec<String>, Failure> {
    // diesel's own function makes the table of versions where there is none, which a look must not
    // do.
    let made: Existence =
        sql_query("SELECT to_regclass('__diesel_schema_migrations') IS NOT NULL AS exists")
            .get_result(connection)?;
    let applied: Vec<Applied> = if made.exists {
        sql_query("SELECT version FROM __diesel_schema_migrations").load(connection)?
    } else {
        Vec::new()
    };
    let all: Vec<Box<dyn Migration<Pg>>> = MIGRATIONS.migrations().map_err(refused)?;
    let lacks = |migration: &dyn Migration<Pg>| {
        let version = migration.name().version().to_string();
        applied.iter().all(|applied| applied.version != version)
    };
    Ok(all
        .iter()
        .filter(|migration| lacks(migration.as_ref()))
        .map(|migration| migration.name().to_string())
        .collect())
}

impl Migrator {
    pub(crate) fn new(url: String, tariff: Tariff) -> Self {
        Self { url, tariff }
    }

    /// Applies what is pending, while a row lock on another connection keeps other processes out. A
    /// migration may therefore run outside a transaction, as building an index beside the traffic
    /// has to.
    pub(crate) fn migrate(&self) -> Result<Vec<String>, RepositoryError> {
        let mut guard = self.connect()?;
        guard
            .batch_execute("SET idle_in_transaction_session_timeout = 0")
            .map_err(database)?;
        make_lock(&mut guard).map_err(database)?;
        guard
            .transaction(|guard| {
                sql_query("SELECT id FROM pressline_migration_lock WHERE id = 1 FOR UPDATE")
                    .execute(guard)?;
                self.run()
            })
            .map_err(|failure: Failure| failure.into_repository(false))
    }

    fn run(&self) -> Result<Vec<String>, Failure> {
        let mut connection = self.connect()?;
        // A change of a table that cannot have its lock gives way, so that the requests behind it
        // do not pile up.
        connection.batch_execute("SET lock_timeout = '10s'")?;
        let pending = connection.pending_migrations(MIGRATIONS).map_err(refused)?;
        let names = match first(pending.len(), &self.tariff)? {
            // In one transaction, so that no server finds a new database without rates and fees.
            Some(tariff) => {
                connection.transaction(|connection| apply(connection, &pending, Some(tariff)))?
            }
            None => apply(&mut connection, &pending, None)?,
        };
        Ok(names)
    }

    fn connect(&self) -> Result<PgConnection, RepositoryError> {
        let mut connection = PgConnection::establish(&self.url)
            .map_err(|error| RepositoryError::Unavailable(error.into()))?;
        connection
            .batch_execute("SET statement_timeout = 0; SET lock_timeout = 0")
            .map_err(database)?;
        Ok(connection)
    }
}

/// Applies migrations, and gives a database that had none its first rates and fees.
fn apply(
    connection: &mut PgConnection,
    pending: &[Box<dyn Migration<Pg>>],
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
fn write_first(connection: &mut PgConnection, tariff: &Tariff) -> Result<(), Failure> {
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
    let all: Vec<Box<dyn Migration<Pg>>> = MIGRATIONS.migrations().map_err(refused)?;
    let is_new = pending == all.len();
    Ok((is_new && *tariff != Tariff::default()).then_some(tariff))
}

fn make_lock(connection: &mut PgConnection) -> QueryResult<()> {
    let mut attempt = 1;
    loop {
        let made = connection.batch_execute(
            "CREATE TABLE IF NOT EXISTS pressline_migration_lock (id INTEGER PRIMARY KEY CHECK (id = 1)); \
             INSERT INTO pressline_migration_lock VALUES (1) ON CONFLICT DO NOTHING",
        );
        match made {
            Err(diesel::result::Error::DatabaseError(
                DatabaseErrorKind::UniqueViolation | DatabaseErrorKind::Unknown,
                _,
            )) if attempt < LOCK_ATTEMPTS => attempt += 1,
            other => return other,
        }
    }
}

fn database(error: diesel::result::Error) -> RepositoryError {
    Failure::from(error).into_repository(false)
}

fn refused(error: Source) -> Failure {
    match error.downcast::<diesel::result::Error>() {
        Ok(error) => Failure::from(*error),
        Err(error) => RepositoryError::Refused(error).into(),
    }
}
