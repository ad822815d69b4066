//! Operations for test stores.

mod clock;
mod play;
mod webhooks;

use crate::operation::Operation;

pub(crate) const OPERATIONS: &[Operation] =
    &[clock::OPERATION, play::OPERATION, webhooks::OPERATION];
