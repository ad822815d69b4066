//! A clock for tests, set by hand.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::runtime::Clock;
use crate::value::Timestamp;

/// A clock that shows the same time until it is changed.
#[derive(Debug)]
pub struct FixedClock {
    millis: AtomicI64,
}

impl FixedClock {
    /// Creates a clock that shows `moment`.
    pub const fn at(moment: Timestamp) -> Self {
        Self {
            millis: AtomicI64::new(moment.as_millis()),
        }
    }

    /// Sets the clock to `moment`, forwards or backwards.
    pub fn set(&self, moment: Timestamp) {
        // No other memory is synchronised by the clock.
        self.millis.store(moment.as_millis(), Ordering::Relaxed);
    }

    /// Moves the clock by `millis` milliseconds; a negative number moves it backwards.
    pub fn advance(&self, millis: i64) {
        self.millis.fetch_add(millis, Ordering::Relaxed);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.millis.load(Ordering::Relaxed))
    }
}
