//! The operations about events, and the form in which receivers get them.

mod response;
pub(crate) mod search;
mod watch;

pub use response::JsonEvents;
pub use watch::EventWatch;
