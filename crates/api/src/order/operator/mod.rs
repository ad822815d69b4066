//! Operations on orders, for operators.

mod operations;
mod request;
mod response;

pub(crate) use operations::OPERATIONS;
pub(crate) use response::MovedResponse;
