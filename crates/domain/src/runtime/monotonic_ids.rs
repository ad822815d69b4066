//! Ids that increase strictly within a process.

use std::sync::Mutex;

use uuid::{ContextV7, Uuid};

use crate::runtime::IdSource;
use crate::value::Timestamp;

/// Generates UUIDv7s that increase strictly, also within a millisecond and if the clock is set
/// back.
///
/// An id contains the time passed to [`IdSource::next`], a counter, and random bits from a
/// generator that the operating system seeds. Use a single instance per process: the order of ids
/// from two instances is undefined.
#[derive(Debug, Default)]
pub struct MonotonicIds {
    context: Mutex<ContextV7>,
}

impl MonotonicIds {
    /// Creates a source of ids that has not generated an id yet.
    pub fn new() -> Self {
        Self::default()
    }
}

impl IdSource for MonotonicIds {
    /// Returns a new id for the time `now`. A time before 1970 counts as 1970-01-01.
    fn next(&self, now: Timestamp) -> Uuid {
        let millis = u64::try_from(now.as_millis()).unwrap_or(0);
        // The rest is below 1,000, so it fits into `u32`.
        let nanos = u32::try_from(millis % 1000).unwrap_or(0) * 1_000_000;
        Uuid::new_v7(uuid::Timestamp::from_unix(
            &self.context,
            millis / 1000,
            nanos,
        ))
    }
}
