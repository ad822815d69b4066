//! Facts about a database that the console shows.

use pressline_domain::value::time::Timestamp;

/// Version, size and clock of a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseFacts {
    /// Version of the database software.
    pub version: String,
    /// Size of the database in bytes.
    pub bytes: u64,
    /// Time of the database's own clock; `None` if the database uses this machine's clock.
    pub now: Option<Timestamp>,
}
