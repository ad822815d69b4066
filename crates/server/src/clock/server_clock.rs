//! The clock of all use cases.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use pressline_domain::runtime::{Clock, SystemClock};
use pressline_domain::value::Timestamp;

/// Milliseconds by which a correction may set the time back and wait until it has caught up. A
/// larger correction sets it back: else orders of a long time would have one time.
const MAX_WAIT: i64 = 30_000;

/// A time set from elsewhere, carried on by the monotonic clock: if the machine's clock is set, or
/// is wrong, this clock does not notice. It begins with the machine's time.
#[derive(Debug)]
pub(crate) struct ServerClock {
    began: Instant,
    /// Unix milliseconds at `began`.
    at_begin: AtomicI64,
    /// Latest returned time.
    latest: AtomicI64,
}

impl ServerClock {
    pub(crate) fn new() -> Self {
        Self {
            began: Instant::now(),
            at_begin: AtomicI64::new(SystemClock.now().as_millis()),
            latest: AtomicI64::new(i64::MIN),
        }
    }

    /// Returns the monotonic time since this clock was made.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Returns the time in Unix milliseconds when `elapsed` had passed.
    pub(super) fn at(&self, elapsed: Duration) -> i64 {
        self.at_begin
            .load(Ordering::Relaxed)
            .saturating_add(millis(elapsed))
    }

    /// Corrects the clock: it was `time`, in Unix milliseconds, when `elapsed` had passed.
    pub(super) fn set(&self, time: i64, elapsed: Duration) {
        let at_begin = time.saturating_sub(millis(elapsed));
        self.at_begin.store(at_begin, Ordering::Relaxed);
        if self.latest.load(Ordering::Relaxed) > time.saturating_add(MAX_WAIT) {
            self.latest.store(time, Ordering::Relaxed);
        }
    }
}

impl Clock for ServerClock {
    /// Returns at least the results of earlier calls, unless the clock was set far back.
    fn now(&self) -> Timestamp {
        let now = self.at(self.elapsed());
        let latest = self.latest.fetch_max(now, Ordering::Relaxed);
        Timestamp::from_millis(latest.max(now))
    }
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use pressline_domain::runtime::{IdSource, MonotonicIds};

    use super::*;

    #[test]
    fn the_time_never_goes_back_by_a_small_correction() {
        let clock = ServerClock::new();
        let (mut earlier, ids) = (clock.now(), MonotonicIds::new());
        let mut last = ids.next(earlier);
        for step in [0, -1_900, 40, -25_000, 500, -3] {
            let elapsed = clock.elapsed();
            clock.set(clock.at(elapsed) + step, elapsed);
            let now = clock.now();
            let id = ids.next(now);
            assert!(now >= earlier && id > last, "{step}");
            (earlier, last) = (now, id);
        }
    }

    #[test]
    fn a_large_correction_sets_the_time_back_but_ids_still_grow() {
        let clock = ServerClock::new();
        let (wrong, ids) = (clock.now(), MonotonicIds::new());
        let id = ids.next(wrong);
        let elapsed = clock.elapsed();
        clock.set(clock.at(elapsed) - 600_000, elapsed);
        assert!(clock.now().as_millis() < wrong.as_millis() - 500_000);
        assert!(ids.next(clock.now()) > id);
    }

    #[test]
    fn two_servers_with_one_reference_agree() {
        let (one, other) = (ServerClock::new(), ServerClock::new());
        for clock in [&one, &other] {
            clock.set(1_700_000_000_000, clock.elapsed());
        }
        let difference = one.now().millis_since(other.now());
        assert!(difference.abs() < 1_000, "{difference}");
    }
}
