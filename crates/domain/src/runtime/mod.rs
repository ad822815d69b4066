//! The ports for what a pure crate cannot know by itself: the time, and a new id.

mod fixed_clock;

use uuid::Uuid;

use crate::time::Timestamp;

pub use fixed_clock::FixedClock;

/// Returns the time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// The system's clock, for those who do not bring their own. A moment before 1970 counts as 1970.
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

/// Makes ids.
pub trait IdSource: Send + Sync {
    /// A new UUIDv7 at this moment, which the id MUST contain (`an_id_says_when_it_was_made`). Ids
    /// MUST grow strictly within a process (`ids_grow_strictly`), and those of several threads MUST
    /// differ (`ids_of_threads_never_meet`).
    fn next(&self, now: Timestamp) -> Uuid;
}
