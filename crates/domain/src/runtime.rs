//! The ports for what a pure crate cannot know by itself: the time, and a new id.

use uuid::Uuid;

use crate::time::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// Makes ids.
pub trait IdSource: Send + Sync {
    /// A new UUIDv7 at this moment, which the id MUST contain (`an_id_says_when_it_was_made`). Ids
    /// MUST grow strictly within a process (`ids_grow_strictly`), and those of several threads MUST
    /// differ (`ids_of_threads_never_meet`).
    fn next(&self, now: Timestamp) -> Uuid;
}
