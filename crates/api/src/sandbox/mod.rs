//! Operations for test stores.

mod operations;

pub(crate) use operations::OPERATIONS;
