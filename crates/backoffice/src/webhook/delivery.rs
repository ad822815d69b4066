//! Deliveries: attempts to send an event, as the log keeps them.

use pressline_domain::id::{DeliveryId, EndpointId, OrderId, StoreId};
use pressline_domain::time::Timestamp;

/// The type of the event that tries an endpoint out. It is not in the feed.
pub const TEST_TYPE: &str = "webhook.test";

/// The event that an attempt sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentEvent {
    /// Its id, which `webhook-id` carries.
    pub id: String,
    /// The name of its type, which can be [`TEST_TYPE`].
    pub kind: String,
    /// Its sequence; `None` for a test.
    pub sequence: Option<u64>,
    /// Its order.
    pub order: Option<SentOrder>,
}

/// The order of an event that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentOrder {
    /// The order.
    pub id: OrderId,
    /// The store's id of it.
    pub order_id: String,
}

pressline_kit::named! {
    /// Why an attempt failed.
    pub enum DeliveryError {
        /// The response has another status than 2xx.
        Status = "status",
        /// An address of the receiver is not permitted.
        AddressNotAllowed = "address_not_allowed",
        /// The receiver's name was not resolved.
        Dns = "dns",
        /// No connection was made.
        Connect = "connect",
        /// The connection is not secure, such as for a wrong certificate.
        Tls = "tls",
        /// The response did not begin in time.
        Timeout = "timeout",
        /// The connection ended before a response.
        Closed = "closed",
        /// What came is not a response of HTTP, or its head is too large.
        InvalidResponse = "invalid_response",
        /// The sandbox was asked to drop the event.
        SandboxDrop = "sandbox_drop",
    }
}

pressline_kit::named! {
    /// Whether an attempt succeeded.
    pub enum DeliveryStatus {
        /// The receiver has the event.
        Succeeded = "succeeded",
        /// It may not have it.
        Failed = "failed",
    }
}

/// What came of an attempt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeliveryResult {
    /// Why it failed; `None` if it succeeded.
    pub error: Option<DeliveryError>,
    /// The status of the response, if there was one.
    pub http_status: Option<u16>,
    /// The beginning of the response's body as text, if there was a response.
    pub response: Option<String>,
}

impl DeliveryResult {
    /// Returns whether the attempt succeeded.
    pub fn status(&self) -> DeliveryStatus {
        match self.error {
            None => DeliveryStatus::Succeeded,
            Some(_) => DeliveryStatus::Failed,
        }
    }
}

/// Names a subscription: an endpoint has one for each store that it hears.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubscriptionKey {
    /// The store whose events are sent.
    pub store: StoreId,
    /// The endpoint that they are sent to.
    pub endpoint: EndpointId,
}

/// An attempt to deliver an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Its id.
    pub id: DeliveryId,
    /// The endpoint.
    pub endpoint: EndpointId,
    /// The store of the event; of a test of the shop's endpoint, the nil UUID.
    pub store: StoreId,
    /// The event.
    pub event: SentEvent,
    /// Number of the attempt in the schedule of the event, from 1. Attempts do not count by which an endpoint
    /// pauses or is found to fail still.
    pub attempt: u32,
    /// What came of it.
    pub result: DeliveryResult,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took, in milliseconds.
    pub duration_ms: u32,
    /// When the event is sent again; `None` if this attempt was the last one, or another one followed.
    pub next_attempt_at: Option<Timestamp>,
}

impl Delivery {
    /// Returns the subscription that the event belongs to. That of a test of the shop's endpoint does not exist.
    pub fn subscription(&self) -> SubscriptionKey {
        SubscriptionKey {
            store: self.store,
            endpoint: self.endpoint,
        }
    }
}
