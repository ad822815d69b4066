//! Operations on events, and their JSON form.

mod catalog;
mod response;
mod search;

pub use catalog::event_reference;
pub use response::{JsonEvents, JsonTestEvents};
pub(crate) use search::OPERATIONS;
