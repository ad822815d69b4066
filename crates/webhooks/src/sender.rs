//! The way out to receivers.

use async_trait::async_trait;
use bytes::Bytes;
use pressline_backoffice::webhook::{DeliveryError, EndpointOwner};

/// The headers of a request that are not the same for all.
pub type Headers = [(&'static str, String); 4];

/// A request to a receiver.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// Where it is sent.
    pub url: &'a str,
    /// Who gave the URL, which decides about the networks that are permitted.
    pub owner: EndpointOwner,
    /// `content-type`, `webhook-id`, `webhook-timestamp` and `webhook-signature`.
    pub headers: Headers,
    /// The event.
    pub body: Bytes,
}

/// The response of a receiver.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Response {
    /// Its status.
    pub status: u16,
    /// The value of `Retry-After`.
    pub retry_after: Option<String>,
    /// The beginning of its body.
    pub body: Vec<u8>,
}

/// Sends requests to receivers.
#[async_trait]
pub trait Sender: Send + Sync {
    /// Sends a request, and returns the response whatever its status is. It ends within the time that requests are
    /// given; redirects are not followed.
    ///
    /// # Errors
    /// Why there is no response.
    async fn send(&self, request: Request<'_>) -> Result<Response, DeliveryError>;
}
