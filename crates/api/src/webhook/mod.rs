//! Operations on webhook endpoints and deliveries, for stores and for operators.

mod caller;
mod create;
mod delete;
pub(crate) mod deliveries;
mod disable;
mod enable;
mod list;
mod request;
mod response;
mod rotate_secret;
mod test;
mod test_event;
mod update;

use crate::operation::Operation;

pub use response::{DeliveryDocument, WebhookDocument};
pub(crate) use response::{WebhookResponse, changed};
pub use test_event::JsonTestEvents;

pub(crate) const OPERATIONS: &[Operation] = &[
    create::OPERATION,
    list::OPERATION,
    update::OPERATION,
    enable::OPERATION,
    disable::OPERATION,
    delete::OPERATION,
    rotate_secret::OPERATION,
    test::OPERATION,
];

pub(crate) const FOR_OPERATORS: &[Operation] = &[
    create::FOR_OPERATORS,
    list::FOR_OPERATORS,
    update::FOR_OPERATORS,
    enable::FOR_OPERATORS,
    disable::FOR_OPERATORS,
    delete::FOR_OPERATORS,
    rotate_secret::FOR_OPERATORS,
    test::FOR_OPERATORS,
];
