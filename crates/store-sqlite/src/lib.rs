//! The embedded default store: SQLite through diesel.
//!
//! [`SqliteStore`] implements the ports [`OrderRepository`], [`StoreDirectory`], [`Catalog`] and
//! [`CatalogAdmin`] over one file. A port call is one hop to a thread that may block, and one
//! transaction; orders that come in while others are written share the next one. Other processes
//! may use the file at the same time.
//!
//! [`OrderRepository`]: pressline_domain::order::OrderRepository
//! [`StoreDirectory`]: pressline_domain::store::StoreDirectory
//! [`Catalog`]: pressline_domain::catalog::Catalog
//! [`CatalogAdmin`]: pressline_domain::catalog::CatalogAdmin

#![cfg_attr(
    not(any(test, feature = "test-support")),
    expect(unreachable_pub, reason = "the support of tests exports these items")
)]

mod catalog;
mod checkpoint;
mod config;
mod connection;
mod error;
mod facts;
mod insert;
mod migrations;
mod order;
mod overview;
mod pool;
mod probe;
#[cfg(any(test, feature = "test-support"))]
#[doc(hidden)]
#[path = "../tests/support/mod.rs"]
pub mod test_support;
mod time_limit;
mod watch;
mod webhook;
mod words;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use diesel::Connection as _;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{GroupConfig, SkuCache, StatementCounter, WriteShards, blocking};

pub use config::{OpenError, SqliteConfig};
pub use pressline_store_kit::{
    ColdStore, DatabaseFacts, Distribution, MigrationStatus, Weight, WriteQueue,
};

use connection::{Opener, Purpose};
use error::Failure;
use migrations::MIGRATIONS;
use order::Writer;
use pool::Pool;

/// What a write may take beyond the times of the configuration, for the work itself.
const GRACE: Duration = Duration::from_secs(5);

/// Orders, stores and products in a SQLite file. A clone shares the connections. Dropping the last
/// one returns when the group that has begun is written.
#[derive(Clone)]
pub struct SqliteStore {
    writer: Arc<WriteShards<Writer>>,
    readers: Arc<Pool>,
    opener: Arc<Opener>,
    statements: StatementCounter,
    skus: Arc<SkuCache>,
    /// The migrations that opening the file applied and `migrate` has not returned yet.
    applied: Arc<Mutex<Vec<String>>>,
}

impl SqliteStore {
    /// A store in the file at `path`. The file and its folders are made where they do not exist,
    /// and the migrations that it lacks are applied, by one process at a time. Blocks for as long
    /// as that takes.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(path: &Path, config: &SqliteConfig) -> Result<Self, OpenError> {
        let statements = StatementCounter::default();
        Self::open_with(path, config, order::ORDERS_OF_CHUNK, statements)
    }

    /// Does the same with chunks of so many orders, and counts the statements with this counter.
    fn open_with(
        path: &Path,
        config: &SqliteConfig,
        orders_of_chunk: i64,
        statements: StatementCounter,
    ) -> Result<Self, OpenError> {
        if config.readers == 0 || config.searches == 0 {
            return Err(OpenError::NoReaders);
        }
        if config.write_queue == 0 || config.write_queue_of_store == 0 || config.write_group == 0 {
            return Err(OpenError::NoWrites);
        }
        let opener = Arc::new(Opener::new(path, config, statements.clone())?);
        let applied = migrations::migrate(&opener).map_err(OpenError::Database)?;
        let group = GroupConfig {
            queue: config.write_queue,
            queue_of_store: config.write_queue_of_store,
            backlog: config.write_backlog,
            group: config.write_group,
            group_weight: config.write_group_weight,
            shared_weight: Weight::SHARED,
            wait: config.pool_wait,
            patience: config.pool_wait + config.busy_timeout + GRACE,
        };
        let writer = Writer::new(&opener, orders_of_chunk).map_err(OpenError::Thread)?;
        let writer = WriteShards::start(group, [writer]).map_err(OpenError::Thread)?;
        Ok(Self {
            writer: Arc::new(writer),
            readers: Arc::new(Pool::new(&opener, config)),
            statements,
            skus: Arc::default(),
            applied: Arc::new(Mutex::new(applied)),
            opener,
        })
    }

    /// Applies the migrations that the file lacks. Returns the names of those that this call or the
    /// opening applied and that no call returned before.
    ///
    /// # Errors
    /// [`RepositoryError`] as any call.
    pub async fn migrate(&self) -> Result<Vec<String>, RepositoryError> {
        let opener = Arc::clone(&self.opener);
        let now = blocking(move || migrations::migrate(&opener)).await?;
        let mut applied =
            std::mem::take(&mut *self.applied.lock().unwrap_or_else(PoisonError::into_inner));
        applied.extend(now);
        Ok(applied)
    }

    /// Returns the names of the migrations that the file lacks.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] if another build made the file or a newer one migrated it; also as any call.
    pub async fn pending(&self) -> Result<Vec<String>, RepositoryError> {
        self.readers
            .call(|connection| MIGRATIONS.pending(connection))
            .await
    }

    /// Compares the migrations of this program and of the file at `path`. Changes nothing. All are pending if there is no
    /// file.
    ///
    /// # Errors
    /// [`OpenError`] if the file cannot be read.
    pub fn migration_statuses(path: &Path) -> Result<Vec<MigrationStatus>, OpenError> {
        let mut connection = if path.exists() {
            let statements = StatementCounter::default();
            let opener = Opener::new(path, &SqliteConfig::default(), statements);
            opener?.open(Purpose::Read).map_err(OpenError::Database)?
        } else {
            // A missing file has no migrations, and is not to be made.
            let in_memory = SqliteConnection::establish(":memory:");
            in_memory
                .map_err(|error| OpenError::Database(RepositoryError::Unavailable(error.into())))?
        };
        let statuses = MIGRATIONS.statuses(&mut connection);
        statuses.map_err(|failure| OpenError::Database(error::repository(failure)))
    }

    /// The ports whose statements both databases share.
    pub fn cold(&self) -> ColdStore {
        ColdStore::new(Arc::new(self.clone()))
    }

    /// Returns version, size and clock of the database.
    ///
    /// # Errors
    /// [`RepositoryError`] as any call.
    pub async fn facts(&self) -> Result<DatabaseFacts, RepositoryError> {
        self.readers.call(facts::read).await
    }

    /// How many statements have been run so far, `BEGIN` and `COMMIT` included; for tests that pin
    /// the number.
    pub fn statements(&self) -> u64 {
        self.statements.total()
    }

    /// The length of the queue of writes, and counts of what went through it.
    pub fn writes(&self) -> WriteQueue {
        self.writer.metrics()
    }

    /// Does rare work in one transaction of its own, on the connection that writes.
    async fn change_alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut SqliteConnection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, RepositoryError> {
        let transaction =
            |connection: &mut SqliteConnection| connection.immediate_transaction(work);
        self.writer
            .alone(move |writer| writer.run(transaction))
            .await
    }
}

impl std::fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SqliteStore")
            .field("path", &self.opener.path())
            .finish_non_exhaustive()
    }
}
