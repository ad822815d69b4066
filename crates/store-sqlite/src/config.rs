//! Configuration of a SQLite file.

use std::path::PathBuf;
use std::time::Duration;

use pressline_domain::error::RepositoryError;
use pressline_domain::pricing::tariff::Tariff;
use pressline_store_kit::Weight;

/// Limits and timeouts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqliteConfig {
    /// Number of connections that read, at least 1. A further connection writes.
    pub readers: usize,
    /// Maximum number of concurrent searches, at least 1. Keep it below `readers`, so that
    /// connections are left for other calls.
    pub searches: usize,
    /// Maximum time of a call's reads. After it they are interrupted.
    pub read_timeout: Duration,
    /// Time that a call waits for a connection before it fails as unavailable.
    pub pool_wait: Duration,
    /// Time that a statement waits for another process that writes.
    pub busy_timeout: Duration,
    /// Maximum number of waiting writes, at least 1. Further writes fail as unavailable.
    pub write_queue: usize,
    /// Maximum number of waiting writes of the same store, at least 1. Further writes of the store
    /// fail as unavailable.
    pub write_queue_of_store: usize,
    /// Maximum time for which writes may be waiting without a break. After it, only as many may
    /// wait as two transactions take, and further writes fail as unavailable.
    pub write_backlog: Duration,
    /// Maximum number of orders in a transaction, at least 1.
    pub write_group: usize,
    /// Maximum total weight of the orders in a transaction. A single order may weigh more.
    pub write_group_weight: Weight,
    /// Shipping rates and default fee schedule of a new database.
    pub tariff: Tariff,
}

impl Default for SqliteConfig {
    fn default() -> Self {
        Self {
            readers: 4,
            searches: 2,
            read_timeout: Duration::from_secs(5),
            pool_wait: Duration::from_secs(2),
            busy_timeout: Duration::from_secs(2),
            write_queue: 1024,
            write_queue_of_store: 512,
            write_backlog: Duration::from_millis(500),
            write_group: 64,
            write_group_weight: Weight::GROUP,
            tariff: Tariff::default(),
        }
    }
}

/// A configuration or a file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// `readers` or `searches` is 0.
    #[error("there must be at least 1 reading connection, and at least 1 that may search")]
    NoReaders,
    /// `write_queue`, `write_queue_of_store` or `write_group` is 0.
    #[error("there must be room for at least 1 write, in the queue and in a transaction")]
    NoWrites,
    /// The system cannot start a thread for the connection that writes.
    #[error("cannot start a thread")]
    Thread(#[source] std::io::Error),
    /// SQLite cannot open the path: it is empty or not valid Unicode.
    #[error("{} is not a path of a database: it is empty, or not valid Unicode", .0.display())]
    Path(PathBuf),
    /// The folder of the file cannot be created.
    #[error("cannot make the folder {}", path.display())]
    Folder {
        /// Path of the folder.
        path: PathBuf,
        /// Error of the operating system.
        #[source]
        source: std::io::Error,
    },
    /// The file cannot be opened, is not a database, or cannot be migrated.
    #[error("cannot open the database")]
    Database(#[source] RepositoryError),
}
