//! Metrics of the write shards.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const SIZES: [u64; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
/// Upper bounds, in microseconds, of the classes in the histogram of waiting times.
const WAITS: [u64; 8] = [100, 500, 2_000, 5_000, 20_000, 100_000, 500_000, 2_000_000];

/// Statistics of all write shards: the number of waiting writes, and counts of refused and finished
/// writes since the start of the process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteQueue {
    /// Number of writes that are waiting now.
    pub waiting: usize,
    /// Number of writes refused immediately, for example because a queue was full.
    pub refused: u64,
    /// Number of writes repeated in a transaction of their own after their group had failed.
    pub written_alone: u64,
    /// Histogram of the number of writes per group.
    pub sizes: Distribution,
    /// Histogram of the time from the arrival of a write to the start of its group, in
    /// microseconds.
    pub waits: Distribution,
}

/// Histogram of the values of a metric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution {
    /// Upper bound of each class, inclusive, and the number of values in the class, without the
    /// values of lower classes. The last class has no bound.
    pub classes: Vec<(Option<u64>, u64)>,
    /// Sum of all values.
    pub sum: u64,
}

impl Distribution {
    /// Returns the number of values in all classes.
    pub fn count(&self) -> u64 {
        self.classes.iter().map(|(_, count)| count).sum()
    }
}

#[derive(Debug)]
pub(super) struct Metrics {
    refused: AtomicU64,
    written_alone: AtomicU64,
    sizes: Counts<8>,
    waits: Counts<8>,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            refused: AtomicU64::default(),
            written_alone: AtomicU64::default(),
            sizes: Counts::new(SIZES),
            waits: Counts::new(WAITS),
        }
    }
}

impl Metrics {
    pub(super) fn refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn written_alone(&self) {
        self.written_alone.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn group(&self, size: usize) {
        self.sizes.add(u64::try_from(size).unwrap_or(u64::MAX));
    }

    pub(super) fn waited(&self, wait: Duration) {
        self.waits
            .add(u64::try_from(wait.as_micros()).unwrap_or(u64::MAX));
    }

    pub(super) fn read(&self, waiting: usize) -> WriteQueue {
        WriteQueue {
            waiting,
            refused: self.refused.load(Ordering::Relaxed),
            written_alone: self.written_alone.load(Ordering::Relaxed),
            sizes: self.sizes.read(),
            waits: self.waits.read(),
        }
    }
}

#[derive(Debug)]
struct Counts<const N: usize> {
    classes: [(u64, AtomicU64); N],
    beyond: AtomicU64,
    sum: AtomicU64,
}

impl<const N: usize> Counts<N> {
    fn new(ends: [u64; N]) -> Self {
        let classes = ends.map(|end| (end, AtomicU64::default()));
        Self {
            classes,
            beyond: AtomicU64::default(),
            sum: AtomicU64::default(),
        }
    }

    fn add(&self, value: u64) {
        let class = self.classes.iter().find(|(end, _)| value <= *end);
        class
            .map_or(&self.beyond, |(_, count)| count)
            .fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    fn read(&self) -> Distribution {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let mut classes: Vec<_> = self
            .classes
            .iter()
            .map(|(end, count)| (Some(*end), read(count)))
            .collect();
        classes.push((None, read(&self.beyond)));
        Distribution {
            classes,
            sum: read(&self.sum),
        }
    }
}
