//! Operations on events, and their JSON form.

mod catalog;
mod response;
pub(crate) mod search;

pub use catalog::event_reference;
pub use response::JsonEvents;
