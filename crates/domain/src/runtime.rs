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
    /// A new UUIDv7 at this moment. Ids MUST grow strictly within a process (`ids_grow_strictly`).
    fn next(&self, now: Timestamp) -> Uuid;
}
