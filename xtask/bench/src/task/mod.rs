//! The tasks, one per file.

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

/// Columns of tables in `docs/PERFORMANCE.md`.
pub(crate) const COMPARED: &[Figure] = &[
    Rate,
    P50,
    P99,
    ServiceCpu,
    DatabaseCpu,
    WalBytes,
    ClientBusy,
];
/// Columns of other throughput tables.
pub(crate) const THROUGHPUT: &[Figure] = &[Rate, P50, P99, ServiceCpu, DatabaseCpu, ClientBusy];
pub(crate) const LATENCIES: &[Figure] = &[P50, P99];
