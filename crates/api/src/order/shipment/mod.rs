//! Operations on shipments, for operators and carriers.

mod create;
mod find;
mod request;
mod response;
mod track;
mod update;
mod void;

use crate::operation::Operation;

pub(crate) const OPERATIONS: &[Operation] = &[
    create::OPERATION,
    update::OPERATION,
    void::OPERATION,
    track::OPERATION,
    find::OPERATION,
];
