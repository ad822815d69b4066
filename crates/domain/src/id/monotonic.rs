//! Ids that grow strictly within a process.

use std::sync::Mutex;

use uuid::{ContextV7, Uuid};

use crate::runtime::IdSource;
use crate::time::Timestamp;

/// Makes UUIDv7s that grow strictly, also within a millisecond and where the clock goes back.
///
/// The moment comes from the caller; the bits behind the counter are random, from a generator that
/// the operating system seeds. Use one for the whole process: two of them do not know of each other.
#[derive(Debug, Default)]
pub struct MonotonicIds {
    context: Mutex<ContextV7>,
}

impl MonotonicIds {
    /// A source that has given no id yet.
    pub fn new() -> Self {
        Self::default()
    }
}

impl IdSource for MonotonicIds {
    /// Where `now` lies before 1970, the id says 1970.
    fn next(&self, now: Timestamp) -> Uuid {
        let millis = u64::try_from(now.as_millis()).unwrap_or(0);
        // Below a thousand, so that it always fits.
        let nanos = u32::try_from(millis % 1000).unwrap_or(0) * 1_000_000;
        Uuid::new_v7(uuid::Timestamp::from_unix(
            &self.context,
            millis / 1000,
            nanos,
        ))
    }
}
