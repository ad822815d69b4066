//! Operations on events, and their JSON form.

mod catalog;
mod response;
mod search;

use crate::operation::Operation;

pub use catalog::event_reference;
pub use response::JsonEvents;

pub(crate) const OPERATIONS: &[Operation] = &[search::OPERATION];
