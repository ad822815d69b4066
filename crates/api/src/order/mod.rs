//! Operations on orders.

mod answer;
mod cancel;
mod create;
pub(crate) mod create_label;
mod estimate;
pub(crate) mod get;
pub(crate) mod history;
mod hold;
pub(crate) mod operator;
mod process_now;
mod release;
pub(crate) mod request;
pub(crate) mod response;
mod search;
pub(crate) mod shipment;
mod update;
mod update_label;
mod withdraw_change;

use crate::operation::Operation;

pub(crate) const OPERATIONS: &[Operation] = &[
    create::OPERATION,
    create_label::OPERATION,
    estimate::OPERATION,
    update::OPERATION,
    update_label::OPERATION,
    search::OPERATION,
    get::OPERATION,
    history::OPERATION,
    cancel::OPERATION,
    hold::OPERATION,
    release::OPERATION,
    process_now::OPERATION,
    withdraw_change::OPERATION,
    answer::OPERATION,
];
