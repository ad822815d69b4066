//! Operations on the production queue of all stores.

mod operations;
mod response;

pub(crate) use operations::OPERATIONS;
