//! How to use a PostgreSQL server.

use std::time::Duration;

use pressline_domain::pricing::tariff::Tariff;
use pressline_store_kit::Weight;

/// Sizes and times. The defaults suit a service of one process and a database in the same network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostgresConfig {
    /// Connections at most, at least 1. Besides these, `writers` write orders.
    pub max_connections: usize,
    /// Searches at the same time, at least 1. Fewer than `max_connections`, so that connections are
    /// left for everything else.
    pub searches: usize,
    /// How long a call waits for a connection before it fails as unavailable.
    pub pool_wait: Duration,
    /// Maximum time to make a connection, rounded up to whole seconds. Behind this, a server in the same
    /// network is overloaded or away. The parameter `connect_timeout` of the URL overrides it.
    pub connect_timeout: Duration,
    /// How long a statement may take.
    pub statement_timeout: Duration,
    /// Maximum time that a statement waits for a lock. Only a statement timeout that is longer lets a
    /// statement wait for so long.
    pub lock_timeout: Duration,
    /// Creates and updates that may wait for one of the `writers`, at least 1. One more fails as
    /// unavailable.
    pub write_queue: usize,
    /// Creates and updates of one store that may wait, at least 1. One more of this store fails as
    /// unavailable.
    pub write_queue_of_store: usize,
    /// How long writes may wait without a break, such as during a stall of the disk. After that they arrive
    /// faster than they are written: as many may wait as two transactions take; further ones fail as
    /// unavailable.
    pub write_backlog: Duration,
    /// Connections that write orders, at least 1. Each has a queue of its own, which the creates and
    /// updates of a store always join: two groups of one server never wait for the same counter.
    pub writers: usize,
    /// Creates and updates that share a transaction at most, at least 1.
    pub write_group: usize,
    /// Maximum weight of the creates and updates that share a transaction. A single one may weigh
    /// more.
    pub write_group_weight: Weight,
    /// Shipping rates and the service's schedule of fees, which a new database gets.
    pub tariff: Tariff,
    /// The name that the server shows for the connections.
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

/// Whether the rows of stores are distributed over several nodes, by the id of their store. If so, a
/// write statement has orders of one store only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TableDistribution {
    /// They are where the extension Citus is installed in the database.
    #[default]
    Auto,
    /// They are not.
    None,
    /// They are, by Citus.
    Citus,
}
