//! Configuration of the connections to a PostgreSQL server.

use std::time::Duration;

use pressline_domain::pricing::tariff::Tariff;
use pressline_store_kit::WriteLimits;

use crate::citus::CitusUse;

/// Limits and timeouts. The defaults suit a single server process and a database in the same
/// network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostgresConfig {
    /// Maximum number of pooled connections, at least 1, without the connections of `writers`.
    pub max_connections: usize,
    /// Maximum number of concurrent searches, at least 1. Keep it below `max_connections`, so that
    /// connections are left for calls other than searches.
    pub searches: usize,
    /// Maximum time that a call waits for a connection before it fails as unavailable.
    pub pool_wait: Duration,
    /// Maximum time to make a connection, rounded up to whole seconds. A server in the same network
    /// that needs longer is overloaded or down. The parameter `connect_timeout` of the URL
    /// overrides it.
    pub connect_timeout: Duration,
    /// Maximum run time of a statement.
    pub statement_timeout: Duration,
    /// Maximum time that a statement waits for a lock. Has no effect unless it is shorter than
    /// `statement_timeout`.
    pub lock_timeout: Duration,
    /// Limits of the creates and updates that wait for a writer, and of a writer's transactions.
    pub writes: WriteLimits,
    /// Number of connections that write orders, at least 1. Each has a queue of its own, and all
    /// writes of a store join the same queue: two write groups of a server never wait for the same
    /// counter.
    pub writers: usize,
    /// Shipping rates and default fee schedule of a new database.
    pub tariff: Tariff,
    /// Application name that the server shows for the connections.
    pub application_name: String,
    /// Whether the tables are on the nodes of a Citus cluster.
    pub citus: CitusUse,
}

impl Default for PostgresConfig {
    fn default() -> Self {
        Self {
            max_connections: 8,
            searches: 4,
            pool_wait: Duration::from_secs(2),
            connect_timeout: Duration::from_secs(2),
            statement_timeout: Duration::from_secs(5),
            lock_timeout: Duration::from_secs(2),
            writes: WriteLimits::default(),
            writers: 2,
            tariff: Tariff::default(),
            application_name: "pressline".to_owned(),
            citus: CitusUse::default(),
        }
    }
}
