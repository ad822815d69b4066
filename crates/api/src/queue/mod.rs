//! Operations on the production queue of all stores.

mod counts;
mod response;
mod search;

use crate::operation::Operation;

pub(crate) const OPERATIONS: &[Operation] = &[search::OPERATION, counts::OPERATION];
