//! Operations on production progress and batches, for operators.

pub(crate) mod batch;
mod operations;
mod response;

pub(crate) use operations::OPERATIONS;
pub(crate) use response::ProductionBody;
