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

use crate::error::Failure;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("migrations");

/// How often the lock's table is made before its failure counts: PostgreSQL refuses one of two that
/// do so at once.
const LOCK_ATTEMPTS: u32 = 5;

/// Applies migrations over connections of its own, as these may take longer than a request.
pub(crate) struct Migrator {
    url: String,
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
    pub(crate) fn new(url: String) -> Self {
        Self { url }
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
        let mut names = Vec::with_capacity(pending.len());
        for migration in &pending {
            connection.run_migration(migration).map_err(refused)?;
            let name = migration.name().to_string();
            tracing::info!(migration = name, "applied a migration");
            names.push(name);
        }
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
