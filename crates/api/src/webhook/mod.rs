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

use pressline_backoffice::webhook::{DeliveryService, EndpointService, EndpointTester};

pub use response::{DeliveryDocument, WebhookDocument};
pub(crate) use response::{WebhookResponse, changed};
pub use test_event::JsonTestEvents;

/// Use cases of webhooks.
#[derive(Clone)]
pub struct WebhookServices {
    /// Creates, changes, lists and deletes endpoints.
    pub endpoints: EndpointService,
    /// Sends test events.
    pub tester: EndpointTester,
    /// Searches deliveries and resends events.
    pub deliveries: DeliveryService,
}
