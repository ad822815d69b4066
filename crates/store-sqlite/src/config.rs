//! How to use a SQLite file.

use std::path::PathBuf;
use std::time::Duration;

use pressline_domain::error::RepositoryError;
use pressline_domain::pricing::tariff::Tariff;
use pressline_store_kit::Weight;

/// Sizes and times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqliteConfig {
    /// Connections that read, at least 1. One more writes.
    pub readers: usize,
    /// Searches that read at the same time, at least 1. Fewer than `readers`, so that connections
    /// are left for everything else.
    pub searches: usize,
    /// How long the reads of one call may take before they are interrupted.
    pub read_timeout: Duration,
    /// How long a call waits for a connection before it fails as unavailable.
    pub pool_wait: Duration,
    /// How long a statement waits for another process that writes.
    pub busy_timeout: Duration,
    /// Writes that may wait, at least 1. One more fails as unavailable.
    pub write_queue: usize,
    /// Writes of one store that may wait, at least 1. One more of this store fails as unavailable.
    pub write_queue_of_store: usize,
    /// How long writes may wait without a break. After that, as many may wait as two transactions
    /// take; further ones fail as unavailable.
    pub write_backlog: Duration,
    /// Orders that share a transaction at most, at least 1.
    pub write_group: usize,
    /// Maximum weight of the orders that share a transaction. A single order may weigh more.
    pub write_group_weight: Weight,
    /// Shipping rates and the service's schedule of fees, which a new database gets.
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

/// Why a file cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Without a reading connection nothing can be read.
    #[error("there must be at least 1 reading connection, and at least 1 that may search")]
    NoReaders,
    /// Without room for a write nothing can be written.
    #[error("there must be room for at least 1 write, in the queue and in a transaction")]
    NoWrites,
    /// The system starts no thread for the connection that writes.
    #[error("cannot start a thread")]
    Thread(#[source] std::io::Error),
    /// The path cannot be passed to SQLite.
    #[error("{} is not a path of a database: it is empty, or not valid Unicode", .0.display())]
    Path(PathBuf),
    /// The folder of the file cannot be made.
    #[error("cannot make the folder {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        source: std::io::Error,
    },
    /// The file cannot be opened, is not a database, or cannot be migrated.
    #[error("cannot open the database")]
    Database(#[source] RepositoryError),
}
