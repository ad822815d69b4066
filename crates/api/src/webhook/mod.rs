//! Operations on webhook endpoints and deliveries.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod deliveries;
pub(crate) mod disable;
pub(crate) mod enable;
pub(crate) mod list;
pub(crate) mod operator;
mod request;
mod response;
pub(crate) mod rotate_secret;
pub(crate) mod test;
mod test_event;
pub(crate) mod update;

pub use response::{DeliveryDocument, WebhookDocument};
pub(crate) use response::{WebhookResponse, changed};
pub use test_event::JsonTestEvents;
