//! How much a run measures.

use std::time::Duration;

/// Sizes and lengths of a run.
#[derive(Debug)]
pub(crate) struct Scale {
    /// Measurements of each candidate. Fewer than six cannot tell a difference from noise.
    pub(crate) rounds: usize,
    /// Length of a measurement.
    pub(crate) window: Duration,
    /// Connections that a load uses at most, whatever its task asks for.
    pub(crate) connections: usize,
    /// Length of a measurement in steady state: two checkpoints, and autovacuum.
    pub(crate) steady: Duration,
    /// Length of a measurement of a store next to another one.
    pub(crate) neighbours: Duration,
    /// Orders where their number does not matter.
    pub(crate) few: u64,
    /// Orders in the smallest database that is searched, which the others are compared with.
    pub(crate) fewest_searched: u64,
    /// Orders in the largest database that is searched.
    pub(crate) searched: u64,
    /// Searches of one kind in a round.
    pub(crate) searches: u64,
    /// Orders in the database that two stores share.
    pub(crate) shared: u64,
    /// Connections over which a store sends orders of 100 items next to another store.
    pub(crate) large_orders: usize,
    /// Orders in the other databases.
    pub(crate) stored: u64,
    /// Numbers of stores whose orders are mixed.
    pub(crate) stores: [usize; 2],
    /// Stores whose orders are mixed where two revisions or two databases are compared.
    pub(crate) compared_stores: usize,
    /// SKUs of the large catalog.
    pub(crate) skus: usize,
    /// Idle connections.
    pub(crate) idle: usize,
    /// Bodies of 1 MiB at the same time.
    pub(crate) bodies: usize,
    /// Client counts of pgbench, of which the best one counts.
    pub(crate) clients: &'static [usize],
    /// Connections to the database of each process of Fastify, of which the best count counts.
    pub(crate) pools: &'static [usize],
}

/// For figures to keep.
pub(crate) const FULL: Scale = Scale {
    rounds: 7,
    window: Duration::from_secs(3),
    connections: 1_000,
    steady: Duration::from_secs(75),
    neighbours: Duration::from_secs(20),
    few: 1_000,
    fewest_searched: 10_000,
    searched: 1_000_000,
    searches: 200,
    shared: 100_000,
    large_orders: 64,
    stored: 10_000,
    stores: [200, 1_000],
    compared_stores: 200,
    skus: 100_000,
    idle: 10_000,
    bodies: 64,
    clients: &[8, 16, 32, 64],
    pools: &[2, 4, 8, 16, 32],
};

/// To see in some minutes that everything works.
pub(crate) const QUICK: Scale = Scale {
    rounds: 2,
    window: Duration::from_secs(1),
    steady: Duration::from_secs(3),
    neighbours: Duration::from_secs(6),
    searched: 100_000,
    stores: [20, 50],
    skus: 10_000,
    idle: 1_000,
    clients: &[8, 32],
    pools: &[4, 16],
    ..FULL
};

/// For the test of the bench itself.
pub(crate) const TINY: Scale = Scale {
    rounds: 1,
    window: Duration::from_millis(50),
    connections: 4,
    steady: Duration::from_millis(100),
    neighbours: Duration::from_millis(1_500),
    few: 500,
    fewest_searched: 500,
    searched: 1_000,
    searches: 2,
    shared: 500,
    large_orders: 2,
    stored: 500,
    stores: [2, 3],
    compared_stores: 3,
    skus: 1_000,
    idle: 20,
    bodies: 2,
    clients: &[4],
    pools: &[2],
};
