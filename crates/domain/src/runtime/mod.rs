//! Ports for the current time and for new ids, which a library without side effects cannot provide.

mod fixed_clock;
mod monotonic_ids;

use uuid::Uuid;

use crate::value::Timestamp;

pub use fixed_clock::FixedClock;
pub use monotonic_ids::MonotonicIds;

/// Provides the current time.
pub trait Clock: Send + Sync {
    /// Returns the current time, which can be before the result of an earlier call.
    fn now(&self) -> Timestamp;
}

/// Clock of the operating system. Times before 1970 become 1970-01-01.
#[cfg(feature = "system")]
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

#[cfg(feature = "system")]
impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the feature asks for the system's time; without it this crate has no clock"
    )]
    fn now(&self) -> Timestamp {
        let since_epoch = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
    }
}

/// Generates UUIDv7s, for the ids of orders and other records.
pub trait IdSource: Send + Sync {
    /// Returns a new UUIDv7 for the time `now`. The id MUST contain `now` unless an earlier call
    /// passed a later time (`an_id_says_when_it_was_made`). Ids MUST increase strictly within a
    /// process (`ids_grow_strictly`), and ids of several threads MUST differ
    /// (`ids_of_threads_never_meet`).
    fn next(&self, now: Timestamp) -> Uuid;
}
