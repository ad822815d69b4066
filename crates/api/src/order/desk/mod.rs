//! Operations of operators on orders.

pub(crate) mod get;
pub(crate) mod search;
