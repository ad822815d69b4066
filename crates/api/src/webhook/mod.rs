//! Operations on webhook endpoints and deliveries, for stores and for operators.

mod caller;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod deliveries;
pub(crate) mod disable;
pub(crate) mod enable;
pub(crate) mod list;
mod request;
mod response;
pub(crate) mod rotate_secret;
pub(crate) mod test;
mod test_event;
pub(crate) mod update;

pub use response::{DeliveryDocument, WebhookDocument};
pub(crate) use response::{WebhookResponse, changed};
pub use test_event::JsonTestEvents;
