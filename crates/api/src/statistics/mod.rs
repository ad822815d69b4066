//! Operations on order statistics, for operators.

mod orders;
mod response;

use crate::operation::Operation;

pub(crate) const OPERATIONS: &[Operation] = &[orders::OPERATION];
