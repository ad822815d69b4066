//! How much of a shard what no request waits for may have.

use std::time::{Duration, Instant};

/// A group of background writes has at most one part in so many of what a group can have.
const OF_GROUP: usize = 4;
/// While requests keep a shard full, so many of their writes come with each background write. To move a due
/// order takes about 0.20 ms of processor time, to create one 0.36 ms (service and PostgreSQL): so new orders
/// become slower by about a fifteenth.
const WRITES_OF_REQUESTS: usize = 8;
/// How long after a request's write a shard counts as in use.
const IN_USE: Duration = Duration::from_secs(1);
/// In a shard that is in use, groups of background writes take at most one part in so many of the
/// time: a request that arrives meanwhile waits for them.
const PARTS_OF_TIME: u32 = 16;

#[derive(Default)]
pub(super) struct Share {
    most: usize,
    /// Writes of requests since the last group of background writes.
    earned: usize,
    arrived: Option<Instant>,
    /// When the group of background writes was taken that is being written.
    alone: Option<Instant>,
    /// No such group is taken before this time, while the shard is in use.
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
            let rest = begin.elapsed() * (PARTS_OF_TIME - 1);
            self.rests_until = Some(Instant::now() + rest);
        }
    }

    /// Returns how long background writes wait at least before they have a group while no request waits.
    pub(super) fn pause(&self) -> Duration {
        let in_use = |arrived: Instant| arrived.elapsed() < IN_USE;
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

    /// True when so many writes of requests were taken that a group of background writes is next.
    pub(super) fn has_slot(&self) -> bool {
        self.earned >= self.most * WRITES_OF_REQUESTS
    }

    pub(super) fn took(&mut self, count: usize, is_background: bool) {
        if is_background {
            self.earned = 0;
            self.alone = Some(Instant::now());
        } else {
            // Not saved up: what is earned while nothing waits must not become several groups later.
            self.earned = (self.earned + count).min(self.most * WRITES_OF_REQUESTS);
        }
    }
}
