//! Operations on order statistics, for operators.

mod orders;
mod response;

pub(crate) use orders::OPERATIONS;
