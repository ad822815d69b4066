//! Operations of operators on the items that wait, in all stores.

pub(crate) mod counts;
mod response;
pub(crate) mod search;
