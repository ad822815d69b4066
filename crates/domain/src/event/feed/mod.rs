//! The feed: all events of a store in their order, each with the order as it was right after it.

mod body;
mod draft;
mod service;
mod unwind;

pub use body::{EventBodies, EventBody, EventContent, EventToWrite, Omitted, Payload, event_id};
pub use draft::{FeedDraft, FeedRequest};
pub use service::{EventService, FeedPage};
