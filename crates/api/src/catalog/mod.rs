//! Operations on products.

mod response;
mod search;

pub(crate) use search::OPERATIONS;
