//! Operations on production progress and batches, for operators.

pub(crate) mod batch;
mod export;
mod get;
mod misprint;
mod record;
mod request;
mod response;

use crate::operation::Operation;

pub(crate) use response::ProductionBody;

pub(crate) const OPERATIONS: &[Operation] = &[
    export::OPERATION,
    record::OPERATION,
    misprint::OPERATION,
    get::OPERATION,
];
