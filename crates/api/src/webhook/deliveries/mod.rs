//! Operations on deliveries.

mod recover;
mod resend;
mod search;

use crate::operation::Operation;

pub(crate) const OPERATIONS: &[Operation] =
    &[search::OPERATION, resend::OPERATION, recover::OPERATION];

pub(crate) const FOR_OPERATORS: &[Operation] = &[
    search::FOR_OPERATORS,
    resend::FOR_OPERATORS,
    recover::FOR_OPERATORS,
];
