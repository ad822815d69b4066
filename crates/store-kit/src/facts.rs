//! What the console says about a database.

use pressline_domain::time::Timestamp;

/// A database as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseFacts {
    /// The version of its program.
    pub version: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The time by its own clock; `None` if it has the clock of this machine.
    pub now: Option<Timestamp>,
}
