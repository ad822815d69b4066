//! Deliveries: logged attempts to send an event.

use pressline_domain::value::{DeliveryId, EndpointId, OrderId, StoreId, Timestamp};

/// Value of [`SentEvent::kind`] for test events. The stores' event feeds do not contain them.
pub const TEST_TYPE: &str = "webhook.test";

/// Event that an attempt sends, reduced to the values in the delivery log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentEvent {
    /// Id of the event, sent in the header `webhook-id`.
    pub id: String,
    /// Name of the event type; [`TEST_TYPE`] for a test.
    pub kind: String,
    /// Sequence of the event in its store; `None` for a test.
    pub sequence: Option<u64>,
    /// Order of the event; `None` if it concerns no order.
    pub order: Option<SentOrder>,
}

/// Ids of the order that a sent event concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentOrder {
    /// Internal id of the order; `order_id` is the store's own id.
    pub id: OrderId,
    /// The store's own id of the order.
    pub order_id: String,
}

pressline_kit::named! {
    /// Reason why an attempt failed.
    pub enum DeliveryError {
        /// The response has a status other than `2xx`.
        Status = "status",
        /// An IP address of the receiver is not permitted.
        AddressNotAllowed = "address_not_allowed",
        /// The receiver's host name could not be resolved.
        Dns = "dns",
        /// No connection to the receiver could be made.
        Connect = "connect",
        /// The TLS connection failed, for example because of an invalid certificate.
        Tls = "tls",
        /// The response did not begin in time.
        Timeout = "timeout",
        /// The connection was closed before a response.
        Closed = "closed",
        /// The response is not valid HTTP, or its head is too large.
        InvalidResponse = "invalid_response",
        /// Nothing was sent, as requested by [`SandboxAction::Drop`](super::SandboxAction::Drop).
        SandboxDrop = "sandbox_drop",
    }
}

pressline_kit::named! {
    /// Success or failure of an attempt, by [`DeliveryResult::status`].
    pub enum DeliveryStatus {
        /// The receiver has the event: `error` is `None`.
        Succeeded = "succeeded",
        /// The receiver did not confirm the event: `error` has the reason.
        Failed = "failed",
    }
}

/// Result of an attempt: success or the error, with the response.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeliveryResult {
    /// Reason of the failure; `None` if the attempt succeeded.
    pub error: Option<DeliveryError>,
    /// HTTP status; `None` without a response.
    pub http_status: Option<u16>,
    /// Beginning of the response body, as a string; `None` without a response.
    pub response: Option<String>,
}

impl DeliveryResult {
    /// Returns `Succeeded` if there is no `error`, else `Failed`.
    pub fn status(&self) -> DeliveryStatus {
        match self.error {
            None => DeliveryStatus::Succeeded,
            Some(_) => DeliveryStatus::Failed,
        }
    }
}

/// Report about the sending of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendReport {
    /// Success or failure, with the response.
    pub result: DeliveryResult,
    /// Pause that `Retry-After` of the response requests, in seconds; `None` for no pause.
    pub retry_after: Option<u32>,
    /// Time at which the attempt began.
    pub started_at: Timestamp,
    /// Duration of the attempt, in milliseconds.
    pub duration_ms: u32,
}

impl SendReport {
    /// Returns the end of the attempt: `started_at` plus `duration_ms`.
    pub fn ended_at(&self) -> Timestamp {
        self.started_at.plus_millis(i64::from(self.duration_ms))
    }
}

/// Key of a subscription. An endpoint has a subscription for each store in its scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubscriptionKey {
    /// Store that the events belong to.
    pub store: StoreId,
    /// Endpoint that the events are sent to.
    pub endpoint: EndpointId,
}

/// An attempt to deliver an event to an endpoint, successful or failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Id of the attempt; later attempts have higher ids.
    pub id: DeliveryId,
    /// Id of the endpoint that the event was to be sent to.
    pub endpoint: EndpointId,
    /// Store of the event; the nil UUID for a test of a print shop endpoint.
    pub store: StoreId,
    /// Event that the attempt sent, or tried to send.
    pub event: SentEvent,
    /// Number of the attempt in the event's retry schedule, from 1. It does not rise after an
    /// attempt that pauses the endpoint, or after a failed probe.
    pub attempt: u32,
    /// Success or failure, with the beginning of the response.
    pub result: DeliveryResult,
    /// Time at which the attempt began.
    pub started_at: Timestamp,
    /// Duration of the attempt, in milliseconds.
    pub duration_ms: u32,
    /// Time of the next attempt; `None` after the last attempt, or if a later attempt followed.
    pub next_attempt_at: Option<Timestamp>,
}

impl Delivery {
    /// Returns the event's subscription; it does not exist for tests of print shop endpoints.
    pub fn subscription(&self) -> SubscriptionKey {
        SubscriptionKey {
            store: self.store,
            endpoint: self.endpoint,
        }
    }
}
