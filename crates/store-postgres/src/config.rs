//! How to use a PostgreSQL server.

use std::time::Duration;

/// Sizes and times. The defaults suit a service of one process beside a database in the same network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostgresConfig {
    /// Connections at most, at least 1. Besides these, `writers` write orders.
    pub max_connections: u32,
    /// Connections that are kept open while there is nothing to do, at most `max_connections`.
    pub min_idle: u32,
    /// How long a call waits for a connection before it is answered that the database is unavailable.
    pub pool_wait: Duration,
    /// How long making a connection may take; rounded up to whole seconds.
    pub connect_timeout: Duration,
    /// How long a statement may take.
    pub statement_timeout: Duration,
    /// How long a statement waits for a lock.
    pub lock_timeout: Duration,
    /// Creates and updates that may wait for those before them, at least 1; one more is answered that the database is unavailable.
    pub write_queue: usize,
    /// Connections on which orders are written, at least 1. Creates of one store follow each other in the database; a
    /// second connection has its group ready there while the first one waits for the disk, and a third finds nothing to
    /// do.
    pub writers: usize,
    /// Creates and updates that share a transaction at most, at least 1.
    pub write_group: usize,
    /// The name that the server shows for the connections.
    pub application_name: String,
    /// Off only behind a pooler that gives each transaction another connection and knows no prepared statements
    /// (pgbouncer before 1.21).
    pub prepared_statements: bool,
}

impl Default for PostgresConfig {
    fn default() -> Self {
        Self {
            max_connections: 8,
            min_idle: 1,
            pool_wait: Duration::from_secs(2),
            connect_timeout: Duration::from_secs(2),
            statement_timeout: Duration::from_secs(5),
            lock_timeout: Duration::from_secs(3),
            write_queue: 1024,
            writers: 2,
            write_group: 64,
            application_name: "pressline".to_owned(),
            prepared_statements: true,
        }
    }
}
