//! Configuration of the connections to a PostgreSQL server.

use std::time::Duration;

use pressline_domain::pricing::tariff::Tariff;
use pressline_store_kit::Weight;

/// Limits and timeouts. The defaults suit a single server process and a database in the same
/// network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostgresConfig {
    /// Maximum number of connections in the pool, at least 1. The connections of `writers` are not
    /// in the pool.
    pub max_connections: usize,
    /// Maximum number of concurrent searches, at least 1. Keep it below `max_connections`, so that
    /// connections are left for calls other than searches.
    pub searches: usize,
    /// Maximum time that a call waits for a connection. After this time the call fails as
    /// unavailable.
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
    /// Maximum number of creates and updates that wait for one of the `writers`, at least 1. If the
    /// limit is reached, another create or update fails as unavailable.
    pub write_queue: usize,
    /// Maximum number of creates and updates of a store that wait, at least 1. If the limit is
    /// reached, another create or update of the store fails as unavailable.
    pub write_queue_of_store: usize,
    /// Maximum time for which the queue of a writer may stay non-empty, such as during a stall of
    /// the disk. After this time the writer counts as overloaded: only as many creates and updates
    /// may wait as fit into two transactions, and others fail as unavailable.
    pub write_backlog: Duration,
    /// Number of connections that write orders, at least 1. Each connection has its own queue. All
    /// writes of a store join the same queue, so that two transactions of this server never wait
    /// for the counters of one store.
    pub writers: usize,
    /// Maximum number of creates and updates in a transaction, at least 1.
    pub write_group: usize,
    /// Maximum total weight of the creates and updates in a transaction. A transaction with a
    /// single create or update may weigh more.
    pub write_group_weight: Weight,
    /// Shipping rates and default fee schedule of a new database.
    pub tariff: Tariff,
    /// Application name that the server shows for the connections.
    pub application_name: String,
    /// Whether the rows of stores are distributed over several nodes.
    pub distribution: TableDistribution,
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
            write_queue: 1024,
            write_queue_of_store: 512,
            write_backlog: Duration::from_millis(500),
            writers: 2,
            write_group: 64,
            write_group_weight: Weight::GROUP,
            tariff: Tariff::default(),
            application_name: "pressline".to_owned(),
            distribution: TableDistribution::default(),
        }
    }
}

/// Whether the rows of stores are distributed over several nodes, by store id. If so, each write
/// statement only contains orders of a single store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TableDistribution {
    /// Distributed if the extension `citus` is installed in the database.
    #[default]
    Auto,
    /// Not distributed, even if the extension `citus` is installed.
    None,
    /// Distributed, without looking for the extension `citus`.
    Citus,
}
