//! Operations on batches, for operators.

mod operations;
mod request;
mod response;

pub(crate) use operations::OPERATIONS;
