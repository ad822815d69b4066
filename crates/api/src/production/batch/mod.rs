//! Operations on batches, for operators.

pub(crate) mod close;
pub(crate) mod create;
pub(crate) mod get;
mod request;
mod response;
pub(crate) mod search;
pub(crate) mod start;
