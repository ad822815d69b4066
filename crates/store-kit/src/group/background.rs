//! How much of a lane what no request waits for may have.

use std::time::{Duration, Instant};

/// A group has at most one background write among so many.
const OF_GROUP: usize = 4;
/// While requests arrive, so many of their writes come with each background write. To move a due order takes
/// about 0.20 ms of processor time, to create one 0.36 ms (service and PostgreSQL, groups of about eight): so
/// new orders become slower by about a fifteenth.
const WRITES_OF_REQUESTS: usize = 8;
/// How long after a request's write a lane counts as in use.
const IN_USE: Duration = Duration::from_secs(1);
/// In a lane that is in use, groups of background writes alone take at most one part in so many of the
/// time: a request that arrives meanwhile waits for them.
const PARTS_OF_TIME: u32 = 16;

/// The share of background writes in a lane.
#[derive(Default)]
pub(super) struct Share {
    /// Background writes of a full group.
    most: usize,
    /// Writes of requests that were not yet counted for a background write.
    earned: usize,
    /// When a request's write last arrived.
    arrived: Option<Instant>,
    /// When a group of background writes alone was taken that is being written.
    alone: Option<Instant>,
    /// No such group is taken before this time, while the lane is in use.
    rests_until: Option<Instant>,
}

impl Share {
    /// The share in groups of at most so many writes.
    pub(super) fn new(group: usize) -> Self {
        Self {
            most: (group / OF_GROUP).max(1),
            ..Self::default()
        }
    }

    /// Notes that a request's write has arrived.
    pub(super) fn arrived(&mut self) {
        self.arrived = Some(Instant::now());
    }

    /// Notes that the group that was taken last is written.
    pub(super) fn written(&mut self) {
        if let Some(begin) = self.alone.take() {
            let rest = begin.elapsed() * (PARTS_OF_TIME - 1);
            self.rests_until = Some(Instant::now() + rest);
        }
    }

    /// Returns how long background writes wait at least before they have a group of their own.
    pub(super) fn pause(&self) -> Duration {
        let in_use = |arrived: Instant| arrived.elapsed() < IN_USE;
        match self.rests_until {
            Some(end) if self.arrived.is_some_and(in_use) => {
                end.saturating_duration_since(Instant::now())
            }
            _ => Duration::ZERO,
        }
    }

    /// Returns how many background writes may join the next group, if it becomes full.
    pub(super) fn room(&self) -> usize {
        let full = self.most * OF_GROUP;
        self.most.min((self.earned + full) / WRITES_OF_REQUESTS)
    }

    /// Returns how many background writes may join a group with so many writes of requests.
    pub(super) fn of_group(&mut self, of_requests: usize) -> usize {
        if of_requests == 0 {
            return self.most;
        }
        // What was earned while nothing waited must not fill the groups that follow.
        self.earned = (self.earned + of_requests).min(self.most * WRITES_OF_REQUESTS);
        // One can join a single write of a request.
        let quarter = (of_requests / (OF_GROUP - 1)).clamp(1, self.most);
        quarter.min(self.earned / WRITES_OF_REQUESTS)
    }

    /// Notes that so many background writes were taken into a group with so many writes of requests.
    pub(super) fn took(&mut self, count: usize, of_requests: usize) {
        if of_requests > 0 {
            self.earned = self.earned.saturating_sub(count * WRITES_OF_REQUESTS);
        } else if count > 0 {
            self.alone = Some(Instant::now());
        }
    }
}
