//! The production store: PostgreSQL through diesel.
//!
//! [`PostgresStore`] implements the ports [`OrderRepository`], [`StoreDirectory`], [`Catalog`] and
//! [`CatalogAdmin`] over one pool. A port call is one hop to a thread that may block, and one
//! transaction at READ COMMITTED; what is read is read by a single statement, which sees one state
//! of the database. Orders that come in to be written while others are share the next transaction,
//! on a connection outside the pool. Calls that look for single orders while others do share the next
//! statement.
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
mod columns;
mod config;
mod distribute;
mod error;
mod facts;
mod migrations;
mod order;
mod overview;
mod pool;
mod pooler;
mod probe;
mod retry;
mod session;
#[cfg(any(test, feature = "test-support"))]
#[doc(hidden)]
#[path = "../tests/support/mod.rs"]
pub mod test_support;
mod tls;
mod url;
mod webhook;
mod words;

use std::sync::Arc;

use pressline_domain::error::RepositoryError;
use pressline_store_kit::{GroupConfig, SkuCache, StatementCounter, WriteShards, blocking};

pub use config::{PostgresConfig, TableDistribution};
pub use distribute::DistributedTables;
pub use pressline_store_kit::{
    ColdStore, DatabaseFacts, Distribution, MigrationStatus, Weight, WriteQueue, pending_migrations,
};
pub use url::ConnectError;

use migrations::{MIGRATIONS, Migrator};
use order::lists::{ListBuilder, ListSizes, Pace};
use order::{Finder, Writer};
use pool::Pool;

/// Orders, stores and products in a PostgreSQL database. A clone shares the connections. Dropping
/// the last one returns when the groups that have begun are written.
#[derive(Clone)]
pub struct PostgresStore {
    pool: Arc<Pool>,
    finder: Arc<Finder>,
    migrator: Arc<Migrator>,
    skus: Arc<SkuCache>,
    writes: Arc<WriteShards<Writer>>,
    /// Orders that the first step of a search for status and words looks at.
    portion: i64,
    _lists: Arc<ListBuilder>,
}

/// How the index of words and the lists of words are divided, and in what portions orders are looked at.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    chunk: i64,
    /// Orders that the first step of a search for status and words looks at.
    portion: i64,
    lists: ListSizes,
    pace: Pace,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            chunk: order::ORDERS_OF_CHUNK,
            portion: order::status::FIRST_PORTION,
            lists: ListSizes::default(),
            pace: Pace::default(),
        }
    }
}

impl PostgresStore {
    /// A store over the database at `url`
    /// (`postgres://user:password@host:port/database?parameters`).
    ///
    /// The database need not exist yet: connections are made when calls need them, and calls return
    /// [`RepositoryError::Unavailable`] meanwhile.
    ///
    /// # Errors
    /// [`ConnectError`] where the URL cannot be used, whatever the state of the database.
    pub fn connect(url: &str, config: &PostgresConfig) -> Result<Self, ConnectError> {
        let counter = StatementCounter::default();
        Self::connect_with(url, config, Sizes::default(), counter)
    }

    /// Does the same with chunks and lists of these sizes, and counts statements here.
    fn connect_with(
        url: &str,
        config: &PostgresConfig,
        sizes: Sizes,
        statements: StatementCounter,
    ) -> Result<Self, ConnectError> {
        let url = url::prepared(url, config)?;
        let pool = Pool::new(&url, config, statements)?;
        // Its statements are not counted, because no call sends them.
        let manager = pool.manager().counted_by(StatementCounter::default());
        let lists = ListBuilder::start(manager, sizes.lists, sizes.pace)
            .map_err(|error| ConnectError::Thread(error.kind()))?;
        let group = GroupConfig {
            queue: config.write_queue,
            queue_of_store: config.write_queue_of_store,
            backlog: config.write_backlog,
            group: config.write_group,
            group_weight: config.write_group_weight,
            shared_weight: Weight::SHARED,
            wait: config.pool_wait,
            patience: config.pool_wait + config.statement_timeout + pool::GRACE,
        };
        let writers = (0..config.writers)
            .map(|_| Writer::new(pool.manager(), sizes.chunk, lists.closed_chunks()));
        let writes = WriteShards::start(group, writers)
            .map_err(|error| ConnectError::Thread(error.kind()))?;
        let pool = Arc::new(pool);
        Ok(Self {
            finder: Arc::new(Finder::new(Arc::clone(&pool), config.pool_wait)),
            pool,
            writes: Arc::new(writes),
            portion: sizes.portion,
            _lists: Arc::new(lists),
            migrator: Arc::new(Migrator::new(url, config)),
            skus: Arc::default(),
        })
    }

    /// Applies the migrations that the database lacks, and returns their names in the order in which
    /// they were applied. Of several processes that do so at once, one applies them, and the others
    /// wait for it.
    ///
    /// # Errors
    /// [`RepositoryError`] as any call.
    pub async fn migrate(&self) -> Result<Vec<String>, RepositoryError> {
        let migrator = Arc::clone(&self.migrator);
        blocking(move || migrator.migrate()).await
    }

    /// Distributes the tables over the nodes of a Citus cluster: those of stores by store, with all
    /// rows of a store on one node; copies of the others go to every node. Returns which tables were not distributed
    /// before. The database must be migrated.
    ///
    /// # Errors
    /// [`RepositoryError::Refused`] where the extension is not installed, and as any call.
    pub async fn distribute(&self) -> Result<DistributedTables, RepositoryError> {
        let migrator = Arc::clone(&self.migrator);
        blocking(move || migrator.distribute()).await
    }

    /// Returns the names of the migrations that the database lacks.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] if another build made the database or a newer one migrated it; also as any call.
    pub async fn pending(&self) -> Result<Vec<String>, RepositoryError> {
        self.pool
            .call(|connection, _| MIGRATIONS.pending(connection))
            .await
    }

    /// Compares the migrations of this program and of the database. Changes nothing.
    ///
    /// # Errors
    /// [`RepositoryError`] as any call.
    pub async fn migration_statuses(&self) -> Result<Vec<MigrationStatus>, RepositoryError> {
        self.pool
            .call(|connection, _| MIGRATIONS.statuses(connection))
            .await
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
        self.pool
            .call(|connection, _| facts::read(connection))
            .await
    }

    /// How many statements have been sent so far, `BEGIN` and `COMMIT` included; for tests that pin
    /// the number.
    pub fn statements(&self) -> u64 {
        self.pool.statements()
    }

    /// The lengths of the queues of creates and updates, and counts of what went through them.
    pub fn writes(&self) -> WriteQueue {
        self.writes.metrics()
    }
}

impl std::fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The address holds a password.
        f.debug_struct("PostgresStore").finish_non_exhaustive()
    }
}
