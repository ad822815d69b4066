//! Operations on products.

mod response;
mod search;

use crate::operation::Operation;

pub(crate) const OPERATIONS: &[Operation] = &[search::OPERATION];
