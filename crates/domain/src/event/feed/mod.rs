//! The feed: all events of a store by sequence, each with the order as it was right after the
//! event.

mod body;
mod draft;
mod service;
mod unwind;

pub use body::{EventBodies, EventBody, EventContent, EventToWrite, Omitted, Payload, event_id};
pub use draft::{FeedDraft, FeedRequest};
pub use service::{EventService, FeedError, FeedPage};
