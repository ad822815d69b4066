//! Operations on batches, for operators.

mod close;
mod create;
mod get;
mod request;
mod response;
mod search;
mod start;

use crate::operation::Operation;

pub(crate) const OPERATIONS: &[Operation] = &[
    create::OPERATION,
    get::OPERATION,
    search::OPERATION,
    start::OPERATION,
    close::OPERATION,
];
