//! The production store: PostgreSQL through diesel.
//!
//! [`PostgresStore`] implements the ports of orders, of their queue, of events and of the catalog
//! over one pool. A port call runs on one thread that may block, in one transaction at READ
//! COMMITTED; a single statement reads all its rows and so sees one snapshot. Creates and updates
//! that arrive while others are written share the next transaction, on a connection outside the
//! pool. Concurrent look-ups of single orders share the next statement in the same way.

#![cfg_attr(
    not(any(test, feature = "test-support")),
    expect(unreachable_pub, reason = "the support of tests exports these items")
)]

// Modules import only modules of the groups above them.
mod arrays;
mod dialect;
mod error;
mod retry;
mod tls;
mod url_syntax;
mod words;

mod citus;
mod probe;

mod config;

mod url;

mod pooler;

mod session;

mod backend;
mod catalog;
mod migrations;
mod pool;

mod examine;
mod order;

#[cfg(any(test, feature = "test-support"))]
#[doc(hidden)]
#[path = "../tests/support/mod.rs"]
pub mod test_support;

use std::sync::Arc;

use pressline_domain::error::RepositoryError;
use pressline_store_kit::{GroupConfig, OnStatement, SkuCache, WriteShards, blocking};

pub use citus::{CitusUse, NodeTables};
pub use config::PostgresConfig;
pub use pressline_store_kit::{
    ColdStore, DatabaseUse, Deficiency, MigrationStatus, Severity, Weight, WriteLimits, WriteQueue,
    pending_migrations,
};
pub use url::{ConnectError, without_password};
pub use url_syntax::{UrlProblem, check_url};

use migrations::{MIGRATIONS, Migrator};
use order::lists::{ListBuilder, ListConfig};
use order::{Finder, Writer};
use pool::Pool;

/// Orders, stores and products in a PostgreSQL database. Clones share the connections. Dropping the
/// last clone waits until the started write groups are written.
#[derive(Clone)]
pub struct PostgresStore {
    pool: Arc<Pool>,
    finder: Arc<Finder>,
    migrator: Arc<Migrator>,
    skus: Arc<SkuCache>,
    writes: Arc<WriteShards<Writer>>,
    portion: i64,
}

#[derive(Debug, Clone, Copy)]
struct Sizes {
    chunk: i64,
    /// Number of orders to read in the first step of a search by both status filter and search key.
    portion: i64,
    lists: ListConfig,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            chunk: order::ORDERS_OF_CHUNK,
            portion: order::status::FIRST_PORTION,
            lists: ListConfig::default(),
        }
    }
}

impl PostgresStore {
    /// Creates a store and starts its threads. The database need not exist yet: connections are
    /// made when calls need them, and until then calls return [`RepositoryError::Unavailable`].
    pub fn connect(url: &str, config: &PostgresConfig) -> Result<Self, ConnectError> {
        Self::connect_with(url, config, Sizes::default(), None)
    }

    /// Calls `on_statement` for the statements of calls.
    fn connect_with(
        url: &str,
        config: &PostgresConfig,
        sizes: Sizes,
        on_statement: OnStatement,
    ) -> Result<Self, ConnectError> {
        let url = url::prepared(url, config)?;
        let pool = Arc::new(Pool::new(&url, config, on_statement)?);
        let list_builder = ListBuilder::start(pool.manager(), sizes.lists)
            .map_err(|error| ConnectError::Thread(error.kind()))?;
        // The writers own it: its thread ends with theirs.
        let lists = Arc::new(list_builder);
        let group = GroupConfig {
            limits: config.writes,
            shared_weight: Weight::SHARED,
            wait: config.pool_wait,
            patience: config.pool_wait + config.statement_timeout + pool::GRACE,
        };
        let shared_migrator = Arc::new(Migrator::new(url, config));
        let writers = (0..config.writers).map(|_| {
            let migrator = Arc::clone(&shared_migrator);
            Writer::new(pool.manager(), migrator, sizes.chunk, Arc::clone(&lists))
        });
        let writes = WriteShards::start(group, writers)
            .map_err(|error| ConnectError::Thread(error.kind()))?;
        Ok(Self {
            finder: Arc::new(Finder::new(Arc::clone(&pool), config.pool_wait)),
            pool,
            writes: Arc::new(writes),
            portion: sizes.portion,
            migrator: shared_migrator,
            skus: Arc::default(),
        })
    }

    /// Applies the missing migrations, and returns their names in the order of application. If
    /// several processes migrate concurrently, one applies them and the others wait.
    pub async fn migrate(&self) -> Result<Vec<String>, RepositoryError> {
        let migrator = Arc::clone(&self.migrator);
        blocking(move || migrator.migrate()).await
    }

    /// Brings the tables to the nodes of a Citus cluster: tables with rows of stores are divided by
    /// store, all other tables are copied to every node. Returns the tables that were not there
    /// before. The database must be migrated.
    ///
    /// # Errors
    /// [`RepositoryError::Refused`] if the extension `citus` is not installed.
    pub async fn distribute(&self) -> Result<NodeTables, RepositoryError> {
        let migrator = Arc::clone(&self.migrator);
        blocking(move || migrator.change_schema(citus::distribute)).await
    }

    /// Returns the names of the migrations that the database lacks.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] if a migration is altered, or unknown to this program.
    pub async fn pending(&self) -> Result<Vec<String>, RepositoryError> {
        self.pool
            .call(|connection, _| MIGRATIONS.pending(connection))
            .await
    }

    /// Compares the migrations of this program and of the database. Changes nothing.
    pub async fn migration_statuses(&self) -> Result<Vec<MigrationStatus>, RepositoryError> {
        self.pool
            .call(|connection, _| MIGRATIONS.statuses(connection))
            .await
    }

    /// Returns the repositories of the back office. PostgreSQL and SQLite share their statements.
    pub fn cold(&self) -> ColdStore {
        ColdStore::new(Arc::new(self.clone()))
    }

    /// Returns the statistics of creates and updates.
    pub fn writes(&self) -> WriteQueue {
        self.writes.metrics()
    }
}

impl std::fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The URL contains a password.
        f.debug_struct("PostgresStore").finish_non_exhaustive()
    }
}
