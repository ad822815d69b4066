//! The time of this server: the database's, carried on by the machine's monotonic clock.
//!
//! Servers that share a database must agree on the time: which orders are due, which leases have
//! ended, which order is newer. So "now" is the time of the database, measured at the start and
//! once a minute. A server whose own clock differs too much still does no work that depends on the
//! time, because its operators must correct it: certificates and log lines use that clock.

// Modules import only modules of the groups above them.
mod measurement;
mod server_clock;

mod state;

mod monitor;

pub(crate) use monitor::{ClockMonitor, Reference};
pub(crate) use server_clock::ServerClock;
