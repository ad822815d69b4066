//! What can be measured, one file for each task.

pub(crate) mod auth;
pub(crate) mod citus;
pub(crate) mod compare;
pub(crate) mod create;
pub(crate) mod existing;
pub(crate) mod load;
pub(crate) mod neighbours;
pub(crate) mod pages;
pub(crate) mod search;
pub(crate) mod start;
pub(crate) mod webhooks;

use crate::figures::Figure::{self, ClientBusy, DatabaseCpu, P50, P99, Rate, ServiceCpu, WalBytes};

/// The columns of tables that docs/PERFORMANCE.md shows.
pub(crate) const COMPARED: &[Figure] = &[
    Rate,
    P50,
    P99,
    ServiceCpu,
    DatabaseCpu,
    WalBytes,
    ClientBusy,
];
/// The columns of other tables of throughput.
pub(crate) const THROUGHPUT: &[Figure] = &[Rate, P50, P99, ServiceCpu, DatabaseCpu, ClientBusy];
pub(crate) const LATENCIES: &[Figure] = &[P50, P99];
