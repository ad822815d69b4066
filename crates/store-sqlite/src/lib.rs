//! The embedded default store: SQLite through diesel.
//!
//! [`SqliteStore`] implements the ports of orders, of their queue, of events and of the catalog
//! over one file. A port call runs on one thread that may block, in one transaction; orders that
//! arrive while others are written share the next transaction. Other processes may use the file
//! concurrently.

#![cfg_attr(
    not(any(test, feature = "test-support")),
    expect(unreachable_pub, reason = "the support of tests exports these items")
)]

// Modules import only modules of the groups above them.
mod config;
mod dialect;
mod sql;
mod time_limit;
mod watch;
mod words;

mod error;
mod insert;

mod connection;
mod probe;

mod catalog;
mod checkpoint;
mod migrations;
mod pool;

mod backend;
mod examine;
mod order;

#[cfg(any(test, feature = "test-support"))]
#[doc(hidden)]
#[path = "../tests/support/mod.rs"]
pub mod test_support;

use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use diesel::Connection as _;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_kit::lock;
use pressline_store_kit::{GroupConfig, OnStatement, SkuCache, WriteShards, blocking};

pub use config::{OpenError, SqliteConfig};
pub use pressline_store_kit::{
    ColdStore, Deficiency, MigrationStatus, Severity, Weight, WriteLimits, WriteQueue,
};

use connection::{Opener, Purpose};
use error::Failure;
use migrations::MIGRATIONS;
use order::Writer;
use pool::Pool;

/// Maximum time for the work of a write, in addition to the time that the write may wait.
const GRACE: Duration = Duration::from_secs(5);

/// Orders, stores and products in a SQLite file. Clones share the connections. Dropping the last
/// clone waits until the started write group is written.
#[derive(Clone)]
pub struct SqliteStore {
    writer: Arc<WriteShards<Writer>>,
    readers: Arc<Pool>,
    opener: Arc<Opener>,
    skus: Arc<SkuCache>,
    /// Names of the migrations applied on opening the file, until `migrate` returns them.
    applied: Arc<Mutex<Vec<String>>>,
}

impl SqliteStore {
    /// Opens the file at `path`, or creates it and its folders with the permissions of the process;
    /// [`create_file`](Self::create_file) creates them for the owner only. Applies the missing
    /// migrations, by one process at a time, and blocks until they are applied.
    pub fn open(path: &Path, config: &SqliteConfig) -> Result<Self, OpenError> {
        Self::open_with(path, config, order::ORDERS_OF_CHUNK, None)
    }

    /// Creates the file at `path` and its folder, unless they exist, accessible to the owner only:
    /// they will hold people's addresses.
    pub fn create_file(path: &Path) -> io::Result<()> {
        let mut folder = std::fs::DirBuilder::new();
        let mut file = std::fs::OpenOptions::new();
        // SQLite gives its other files of the database the same permissions.
        folder.mode(0o700);
        file.mode(0o600);
        let parent = path.parent().filter(|path| !path.as_os_str().is_empty());
        parent.map_or(Ok(()), |parent| folder.recursive(true).create(parent))?;
        match file.write(true).create_new(true).open(path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(()),
        }
    }

    /// Calls `on_statement` for all statements except checkpoints.
    fn open_with(
        path: &Path,
        config: &SqliteConfig,
        orders_of_chunk: i64,
        on_statement: OnStatement,
    ) -> Result<Self, OpenError> {
        if config.readers == 0 || config.searches == 0 {
            return Err(OpenError::NoReaders);
        }
        if !config.writes.permit_writes() {
            return Err(OpenError::NoWrites);
        }
        let opener = Arc::new(Opener::new(path, config, on_statement)?);
        let applied = migrations::migrate(&opener).map_err(OpenError::Database)?;
        let group = GroupConfig {
            limits: config.writes,
            shared_weight: Weight::SHARED,
            wait: config.pool_wait,
            patience: config.pool_wait + config.busy_timeout + GRACE,
        };
        let order_writer = Writer::new(&opener, orders_of_chunk).map_err(OpenError::Thread)?;
        // A single write shard, because SQLite has a single writer at a time.
        let writer = WriteShards::start(group, [order_writer]).map_err(OpenError::Thread)?;
        Ok(Self {
            writer: Arc::new(writer),
            readers: Arc::new(Pool::new(&opener, config)),
            skus: Arc::default(),
            applied: Arc::new(Mutex::new(applied)),
            opener,
        })
    }

    /// Applies the migrations that the file lacks. Returns their names, after the names of the
    /// migrations applied on opening the file. Each name is returned only once.
    pub async fn migrate(&self) -> Result<Vec<String>, RepositoryError> {
        let opener = Arc::clone(&self.opener);
        let now = blocking(move || migrations::migrate(&opener)).await?;
        let mut applied = std::mem::take(&mut *lock(&self.applied));
        applied.extend(now);
        Ok(applied)
    }

    /// Returns the names of the migrations that the file lacks.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] if a migration is altered, or unknown to this program.
    pub async fn pending(&self) -> Result<Vec<String>, RepositoryError> {
        self.readers
            .call(|connection| MIGRATIONS.pending(connection))
            .await
    }

    /// Compares the migrations of this program and of the file at `path`. Changes nothing. All
    /// migrations are pending if the file does not exist.
    pub fn migration_statuses(path: &Path) -> Result<Vec<MigrationStatus>, OpenError> {
        let mut connection = if path.exists() {
            let opener = Opener::new(path, &SqliteConfig::default(), None);
            opener?.open(Purpose::Read).map_err(OpenError::Database)?
        } else {
            // A missing file has no migrations, and must not be created.
            let in_memory = SqliteConnection::establish(":memory:");
            in_memory
                .map_err(|error| OpenError::Database(RepositoryError::Unavailable(error.into())))?
        };
        let statuses = MIGRATIONS.statuses(&mut connection);
        statuses.map_err(|failure| OpenError::Database(error::repository(failure)))
    }

    /// Returns the repositories of the back office. PostgreSQL and SQLite share their statements.
    pub fn cold(&self) -> ColdStore {
        ColdStore::new(Arc::new(self.clone()))
    }

    /// Returns the statistics of creates and updates.
    pub fn writes(&self) -> WriteQueue {
        self.writer.metrics()
    }

    /// Runs `work` between two write groups. Only for rare work, because orders wait meanwhile.
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
