//! Operations on orders, for operators.

mod decide;
mod fee_lines;
mod get;
mod history;
mod move_orders;
mod notes;
mod replace;
mod request;
mod response;
mod search;
mod update;

use crate::operation::Operation;

pub(crate) use response::MovedResponse;

pub(crate) const OPERATIONS: &[Operation] = &[
    search::OPERATION,
    get::OPERATION,
    history::OPERATION,
    move_orders::OPERATION,
    decide::OPERATION,
    update::OPERATION,
    fee_lines::OPERATION,
    notes::OPERATION,
    replace::OPERATION,
];
