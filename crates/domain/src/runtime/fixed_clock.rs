//! A clock that is set by hand.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::runtime::Clock;
use crate::time::Timestamp;

/// A clock that stands still until it is moved.
#[derive(Debug)]
pub struct FixedClock {
    millis: AtomicI64,
}

impl FixedClock {
    /// A clock that stands at this moment.
    pub const fn at(moment: Timestamp) -> Self {
        Self {
            millis: AtomicI64::new(moment.as_millis()),
        }
    }

    /// Sets the clock, forward or back.
    pub fn set(&self, moment: Timestamp) {
        self.millis.store(moment.as_millis(), Ordering::Relaxed);
    }

    /// Moves the clock by so many milliseconds; a negative number moves it back.
    pub fn advance(&self, millis: i64) {
        self.millis.fetch_add(millis, Ordering::Relaxed);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.millis.load(Ordering::Relaxed))
    }
}
