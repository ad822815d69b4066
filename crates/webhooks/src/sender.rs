//! Port that sends requests to receivers.

use async_trait::async_trait;
use bytes::Bytes;
use pressline_backoffice::webhook::{DeliveryError, EndpointOwner};

/// Headers of a delivery; [`Request::headers`] names them.
pub type Headers = [(&'static str, String); 4];

/// Request to a receiver.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// URL of the endpoint.
    pub url: &'a str,
    /// Owner of the endpoint; it determines the permitted networks.
    pub owner: EndpointOwner,
    /// Names and values of `content-type`, `webhook-id`, `webhook-timestamp` and
    /// `webhook-signature`.
    pub headers: Headers,
    /// Event as JSON, exactly as signed in `webhook-signature`.
    pub body: Bytes,
}

/// Response of a receiver, also if its status is not 2xx.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Response {
    /// HTTP status code.
    pub status: u16,
    /// Value of the `Retry-After` header.
    pub retry_after: Option<String>,
    /// Beginning of the body; the [`Sender`] decides its length.
    pub body: Vec<u8>,
}

/// Sends requests to receivers.
#[async_trait]
pub trait Sender: Send + Sync {
    /// Sends `request` and returns the response, whatever its status. It must end within the
    /// request timeout and must not follow redirects.
    ///
    /// # Errors
    /// [`DeliveryError`] if no valid response arrives.
    async fn send(&self, request: Request<'_>) -> Result<Response, DeliveryError>;
}
