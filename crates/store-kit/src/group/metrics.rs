//! Metrics of the write shards.

use std::time::Duration;

/// Statistics of all write shards. Counts begin with the start of the process.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteQueue {
    /// Number of writes that are waiting now.
    pub waiting: usize,
    /// Number of writes refused immediately, for example because a queue was full.
    pub refused: u64,
    /// Number of writes repeated in a transaction of their own after their group had failed.
    pub written_alone: u64,
    /// Number of groups.
    pub groups: u64,
    /// Number of writes in all groups.
    pub written: u64,
    /// Sum of the times from the arrival of a write to the start of its group.
    pub waited: Duration,
}
