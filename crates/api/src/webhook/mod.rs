//! Operations on webhook endpoints and deliveries, for stores and for operators.

mod caller;
pub(crate) mod deliveries;
mod operations;
mod request;
mod response;

pub(crate) use operations::{FOR_OPERATORS, OPERATIONS};
pub use response::{DeliveryDocument, WebhookDocument};
pub(crate) use response::{WebhookResponse, changed};
