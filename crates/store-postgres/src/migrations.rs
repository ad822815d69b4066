//! The migrations, embedded, and applied by one process at a time.

use diesel::connection::{CacheSize, Connection as _, SimpleConnection};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::result::DatabaseErrorKind;
use diesel::sql_query;
use pressline_domain::error::RepositoryError;
use pressline_domain::pricing::tariff::Tariff;
use pressline_store_kit::{Migration, Migrations};

use crate::PostgresConfig;
use crate::distribute::{self, DistributedTables};
use crate::error::{Failure, repository};
use crate::session::SessionError;

pub(crate) const MIGRATIONS: Migrations = Migrations {
    list: &[Migration {
        name: "0001_initial",
        text: include_str!("../migrations/0001_initial/up.sql"),
    }],
    look: "SELECT
             (to_regclass('pressline_migrations') IS NOT NULL)::int::bigint,
             (to_regclass('stores') IS NOT NULL)::int::bigint,
             (extract(epoch FROM clock_timestamp()) * 1000)::bigint",
};

/// How often to try to create the table of the lock: if two processes do so at once, PostgreSQL
/// refuses one of them.
const LOCK_ATTEMPTS: u32 = 5;

/// Applies migrations over connections of its own, as these may take longer than a request.
pub(crate) struct Migrator {
    url: String,
    tariff: Tariff,
}

impl Migrator {
    pub(crate) fn new(url: String, config: &PostgresConfig) -> Self {
        Self {
            url,
            tariff: config.tariff.clone(),
        }
    }

    /// Applies the pending migrations, while a row lock on another connection keeps other processes
    /// from doing so. A migration may therefore run outside a transaction, as `CREATE INDEX
    /// CONCURRENTLY` requires.
    pub(crate) fn migrate(&self) -> Result<Vec<String>, RepositoryError> {
        self.locked(Self::run)
    }

    /// Distributes the tables over the nodes of a cluster, while no other process migrates.
    pub(crate) fn distribute(&self) -> Result<DistributedTables, RepositoryError> {
        self.locked(|migrator| distribute::distribute(&mut migrator.connect()?))
    }

    /// Does work while a row lock keeps other processes from doing such work.
    fn locked<T>(
        &self,
        work: impl FnOnce(&Self) -> Result<T, Failure>,
    ) -> Result<T, RepositoryError> {
        let mut guard = self.connect()?;
        make_lock(&mut guard).map_err(database)?;
        guard
            .transaction(|guard| {
                guard.batch_execute(
                    "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; \
                     SET LOCAL idle_in_transaction_session_timeout = 0",
                )?;
                sql_query("SELECT id FROM pressline_migration_lock WHERE id = 1 FOR UPDATE")
                    .execute(guard)?;
                work(self)
            })
            .map_err(|failure| repository(failure, false))
    }

    fn run(&self) -> Result<Vec<String>, Failure> {
        let mut connection = self.connect()?;
        // Requests wait behind a change of a table that waits for its lock. It therefore gives up
        // after a while.
        if !MIGRATIONS.is_new(&mut connection)? {
            connection.batch_execute("SET statement_timeout = 0; SET lock_timeout = '10s'")?;
            let names = MIGRATIONS.apply(&mut connection, &self.tariff)?;
            // A new table is distributed like those before it.
            if !names.is_empty() && distribute::is_distributed(&mut connection)? {
                distribute::distribute(&mut connection)?;
            }
            return Ok(names);
        }
        // In one transaction, so that no server finds a new database without rates and fees. The
        // settings belong to it, because behind a pooler its connection has none that last.
        connection.transaction(|connection| {
            connection
                .batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '10s'")?;
            MIGRATIONS.apply(connection, &self.tariff)
        })
    }

    fn connect(&self) -> Result<PgConnection, RepositoryError> {
        let mut connection = PgConnection::establish(&self.url)
            .map_err(|error| RepositoryError::Unavailable(SessionError::from(error).into()))?;
        // A pooler may not keep prepared statements, and no statement is sent often.
        connection.set_prepared_statement_cache_size(CacheSize::Disabled);
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
    repository(Failure::from(error), false)
}
