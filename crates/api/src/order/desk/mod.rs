//! Operations of operators on orders.

pub(crate) mod get;
