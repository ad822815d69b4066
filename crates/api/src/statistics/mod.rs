//! Operations on order statistics, for operators.

pub(crate) mod orders;
mod response;
