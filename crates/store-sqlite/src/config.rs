//! Configuration of a store in a SQLite file, and errors of opening the store.

use std::path::PathBuf;
use std::time::Duration;

use pressline_domain::error::RepositoryError;
use pressline_domain::pricing::tariff::Tariff;
use pressline_store_kit::WriteLimits;

/// Limits and timeouts of a store in a SQLite file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqliteConfig {
    /// Maximum number of connections that read, at least 1, without the connection that writes.
    pub readers: usize,
    /// Maximum number of concurrent searches, at least 1. Keep it below `readers`, so that
    /// connections are left for calls other than searches.
    pub searches: usize,
    /// Maximum time for the reads of a call. After this time, a long read fails.
    pub read_timeout: Duration,
    /// Maximum time that a call waits for a connection before it fails as unavailable.
    pub pool_wait: Duration,
    /// Maximum time that a statement waits while another connection or process writes. Changes of
    /// the catalog may wait longer.
    pub busy_timeout: Duration,
    /// Limits of the writes that wait for the writing connection, and of its transactions.
    pub writes: WriteLimits,
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
            writes: WriteLimits::default(),
            tariff: Tariff::default(),
        }
    }
}

/// Error of opening a store: the configuration or the file cannot be used, or a thread cannot be
/// started.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// `readers` or `searches` is 0.
    #[error("there must be at least 1 reading connection, and at least 1 that may search")]
    NoReaders,
    /// A number in `writes` is 0.
    #[error("there must be room for at least 1 write, in the queue and in a transaction")]
    NoWrites,
    /// The system cannot start a thread for the connection that writes.
    #[error("cannot start a thread")]
    Thread(#[source] std::io::Error),
    /// SQLite cannot open the path: it is empty, contains a NUL character, or is not valid Unicode.
    #[error("{} is not a path of a database: it is empty, or not valid Unicode", .0.display())]
    Path(PathBuf),
    /// The folder of the database file cannot be created.
    #[error("cannot make the folder {}", path.display())]
    Folder {
        /// Folder that should contain the database file.
        path: PathBuf,
        /// Error of the operating system.
        #[source]
        source: std::io::Error,
    },
    /// The file cannot be opened, is not a database, or cannot be migrated.
    #[error("cannot open the database")]
    Database(#[source] RepositoryError),
}
