//! Port for the state of the program and its database.

use std::pin::Pin;
use std::time::Duration;

use pressline_domain::error::Result;

/// State of the running program and its database.
#[derive(Debug)]
pub struct SystemState {
    /// Version of the program, with its commit and build date.
    pub version: &'static str,
    /// Time since the start of the program.
    pub uptime: Duration,
    /// Software, size and clock of the database.
    pub database: Result<DatabaseState>,
    /// Names of the migrations that the database lacks.
    pub pending_migrations: Result<Vec<String>>,
    /// Result of a write to the disk of the database.
    pub disk: Result<()>,
    /// Number of database writes that wait in the write queue.
    pub waiting_writes: usize,
    /// Number of writes refused since the program's start because the write queue was full.
    pub refused_writes: u64,
    /// Number of log lines dropped since the program's start, because the log's queue was full or
    /// writing failed.
    pub dropped_log_lines: u64,
    /// Warnings to operators about the database and the clock, as in `/readyz`.
    pub warnings: Vec<String>,
}

/// Software, size and clock of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseState {
    /// Name and version of the database software, such as `PostgreSQL 17.2`.
    pub software: String,
    /// Size of the database, in bytes.
    pub bytes: u64,
    /// Difference between the clocks of the database and the program, in milliseconds; `None` if
    /// the database uses the program's clock.
    pub clock_difference: Option<u64>,
}

/// Future returned by [`SystemStatus::state`].
pub type SystemStateFuture<'a> = Pin<Box<dyn Future<Output = SystemState> + Send + 'a>>;

/// Reports the state of the program and its database.
pub trait SystemStatus: Send + Sync {
    /// Returns the current state.
    fn state(&self) -> SystemStateFuture<'_>;
}
