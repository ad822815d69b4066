//! Operations on the production queue of all stores.

pub(crate) mod counts;
mod response;
pub(crate) mod search;
