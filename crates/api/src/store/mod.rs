//! Operations on stores, for operators.

mod create;
mod disable;
mod enable;
mod list;
mod log;
mod request;
mod response;
mod revoke_key;
mod rotate_key;
mod set;
mod show;

use crate::operation::Operation;

pub use response::StoreDocument;

pub(crate) const OPERATIONS: &[Operation] = &[
    list::OPERATION,
    show::OPERATION,
    create::OPERATION,
    set::OPERATION,
    enable::OPERATION,
    disable::OPERATION,
    rotate_key::OPERATION,
    revoke_key::OPERATION,
];
