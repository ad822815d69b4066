//! Operations on events, and their JSON form.

mod response;
mod search;

pub use response::{JsonEvents, JsonTestEvents};
pub(crate) use search::OPERATIONS;
