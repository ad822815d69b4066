//! Operations on stores, for operators.

mod operations;
mod request;
mod response;

pub(crate) use operations::OPERATIONS;
pub use response::StoreDocument;
