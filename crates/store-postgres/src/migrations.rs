//! Embedded migrations, applied by one process at a time.

use std::time::{Duration, Instant};

use diesel::connection::{CacheSize, Connection as _, SimpleConnection};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use diesel::result::DatabaseErrorKind;
use diesel::sql_query;
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::pricing::tariff::Tariff;
use pressline_store_kit::{Migration, Migrations};

use crate::PostgresConfig;
use crate::citus;
use crate::dialect::DIALECT;
use crate::error::{Failure, repository};
use crate::session::Manager;

pub(crate) const MIGRATIONS: Migrations = Migrations {
    list: &[Migration {
        name: "0001_initial",
        text: include_str!("../migrations/0001_initial/up.sql"),
    }],
    dialect: &DIALECT,
    look: "SELECT
             (to_regclass('pressline_migrations') IS NOT NULL)::int::bigint,
             (to_regclass('stores') IS NOT NULL)::int::bigint,
             (extract(epoch FROM clock_timestamp()) * 1000)::bigint",
};

/// Maximum number of attempts to create the lock table: PostgreSQL refuses all but the first of
/// several processes that create it concurrently.
const LOCK_ATTEMPTS: u32 = 5;

/// Its connections are not in the pool, because a migration may take longer than a request.
pub(crate) struct Migrator {
    manager: Manager,
    /// Maximum time to wait for a server that is not up yet.
    wait: Duration,
    tariff: Tariff,
}

impl Migrator {
    pub(crate) fn new(url: String, config: &PostgresConfig) -> Self {
        Self {
            manager: Manager::new(url, config.clone(), None),
            wait: config.pool_wait,
            tariff: config.tariff.clone(),
        }
    }

    /// Keeps other processes out by a row lock on another connection, so that a migration may run
    /// outside a transaction, as `CREATE INDEX CONCURRENTLY` requires.
    pub(crate) fn migrate(&self) -> Result<Vec<String>> {
        // Refuses the database of another build before the table of the lock is created in it.
        let pending = MIGRATIONS.pending(&mut self.connect()?);
        pending.map_err(|failure| repository(failure, false))?;
        self.locked(Self::run)
    }

    /// Runs `work` without the settings of calls, while no other process changes the schema.
    pub(crate) fn change_schema<T>(
        &self,
        work: impl FnOnce(&mut PgConnection) -> Result<T, Failure>,
    ) -> Result<T> {
        self.locked(|migrator| work(&mut migrator.connect()?))
    }

    /// Runs `work` under the row lock that keeps other processes from changing the schema.
    fn locked<T>(&self, work: impl FnOnce(&Self) -> Result<T, Failure>) -> Result<T> {
        // Not the connection of the work, so that the lock outlives the work's transactions.
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
        // Requests queue behind a migration that waits for a table lock. It therefore gives up
        // after ten seconds.
        if !MIGRATIONS.is_new(&mut connection)? {
            connection.batch_execute("SET statement_timeout = 0; SET lock_timeout = '10s'")?;
            let names = MIGRATIONS.apply(&mut connection, &self.tariff)?;
            citus::follow_migrations(&mut connection, !names.is_empty())?;
            return Ok(names);
        }
        // One transaction, so that no server finds a new database without rates and fees. `SET
        // LOCAL`, because behind a pooler the connection's own settings may not last.
        connection.transaction(|connection| {
            connection
                .batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '10s'")?;
            MIGRATIONS.apply(connection, &self.tariff)
        })
    }

    fn connect(&self) -> Result<PgConnection> {
        let mut connection = self.manager.connect_plain(Instant::now() + self.wait)?;
        // A pooler may not keep prepared statements, and each statement is sent only once or twice.
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
            // Another process has created the table in the meantime.
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
