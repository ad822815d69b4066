//! Limits the share of background writes in the work of a write shard.

use std::time::{Duration, Instant};

/// A group of background writes has at most a quarter of the maximum size of other groups.
const OF_GROUP: usize = 4;
/// Number of request writes per background write while requests keep a write shard busy. The
/// background writes slow new orders by about a fifteenth: moving a due order takes about 0.20 ms
/// of processor time, and creating an order 0.36 ms (service and PostgreSQL).
const WRITES_OF_REQUESTS: usize = 8;
/// Time for which a write shard counts as in use after a request's write.
const USE_TIME: Duration = Duration::from_secs(1);
/// Divisor that limits the time of background writes: they may take a sixteenth of the time while
/// requests use a write shard. Requests that arrive during a background write have to wait.
const PARTS_OF_TIME: u32 = 16;

#[derive(Default)]
pub(super) struct Share {
    most: usize,
    /// Number of request writes since the last background group.
    earned: usize,
    arrived: Option<Instant>,
    /// Start time of the current background group; `None` if no background group is being written.
    alone: Option<Instant>,
    /// Time before which no background group may start while requests use the shard.
    rests_until: Option<Instant>,
}

impl Share {
    pub(super) fn new(group: usize) -> Self {
        Self {
            most: (group / OF_GROUP).max(1),
            ..Self::default()
        }
    }

    pub(super) fn arrived(&mut self) {
        self.arrived = Some(Instant::now());
    }

    pub(super) fn written(&mut self) {
        if let Some(begin) = self.alone.take() {
            // The group took one part of the time; the other parts belong to requests.
            let rest = begin.elapsed() * (PARTS_OF_TIME - 1);
            self.rests_until = Some(Instant::now() + rest);
        }
    }

    /// Returns the time until a background group may start, provided that no request waits.
    pub(super) fn pause(&self) -> Duration {
        let in_use = |arrived: Instant| arrived.elapsed() < USE_TIME;
        match self.rests_until {
            Some(end) if self.arrived.is_some_and(in_use) => {
                end.saturating_duration_since(Instant::now())
            }
            _ => Duration::ZERO,
        }
    }

    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Returns `true` if a background group may go before waiting requests.
    pub(super) fn has_slot(&self) -> bool {
        self.earned >= self.most * WRITES_OF_REQUESTS
    }

    pub(super) fn took(&mut self, count: usize, is_background: bool) {
        if is_background {
            self.earned = 0;
            self.alone = Some(Instant::now());
        } else {
            // Capped: credit from idle times must not become several groups later.
            self.earned = (self.earned + count).min(self.most * WRITES_OF_REQUESTS);
        }
    }
}
