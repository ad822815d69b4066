//! Operations on shipments, for operators and carriers.

mod operations;
mod request;
mod response;

pub(crate) use operations::OPERATIONS;
