//! Metrics of the write shards.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Statistics of all write shards. Counts begin with the start of the process.
#[derive(Debug, Clone, PartialEq, Eq)]
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

#[derive(Debug, Default)]
pub(super) struct Metrics {
    refused: AtomicU64,
    written_alone: AtomicU64,
    groups: AtomicU64,
    written: AtomicU64,
    /// In microseconds.
    waited: AtomicU64,
}

impl Metrics {
    pub(super) fn refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn written_alone(&self) {
        self.written_alone.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn group(&self, size: usize) {
        self.groups.fetch_add(1, Ordering::Relaxed);
        self.written.fetch_add(size as u64, Ordering::Relaxed);
    }

    pub(super) fn waited(&self, wait: Duration) {
        let micros = u64::try_from(wait.as_micros()).unwrap_or(u64::MAX);
        self.waited.fetch_add(micros, Ordering::Relaxed);
    }

    pub(super) fn read(&self, waiting: usize) -> WriteQueue {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        WriteQueue {
            waiting,
            refused: read(&self.refused),
            written_alone: read(&self.written_alone),
            groups: read(&self.groups),
            written: read(&self.written),
            waited: Duration::from_micros(read(&self.waited)),
        }
    }
}
