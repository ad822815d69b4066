//! Port that sends requests to receivers.

use async_trait::async_trait;
use bytes::Bytes;
use pressline_backoffice::webhook::{DeliveryError, EndpointOwner};

/// Names and values of the four headers of a webhook request; [`Request::headers`] lists them.
pub type Headers = [(&'static str, String); 4];

/// `POST` request that delivers an event to a receiver.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// URL of the endpoint.
    pub url: &'a str,
    /// Owner of the endpoint; it determines the permitted networks.
    pub owner: EndpointOwner,
    /// Headers `content-type`, `webhook-id`, `webhook-timestamp` and `webhook-signature`.
    pub headers: Headers,
    /// Event as JSON, exactly as signed in `webhook-signature`.
    pub body: Bytes,
}

/// Response of a receiver to a [`Request`], whatever its status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Response {
    /// HTTP status code.
    pub status: u16,
    /// Value of the `Retry-After` header; `None` if the response does not have it.
    pub retry_after: Option<String>,
    /// Beginning of the body. The [`Sender`] decides how many bytes it keeps.
    pub body: Vec<u8>,
}

/// HTTP client for webhook requests.
#[async_trait]
pub trait Sender: Send + Sync {
    /// Sends `request` and returns the response, whatever its status. An implementation must end
    /// within [`Settings::timeout`](crate::Settings::timeout) and must not follow redirects.
    ///
    /// # Errors
    /// [`DeliveryError`] if no valid response arrives.
    async fn send(&self, request: Request<'_>) -> Result<Response, DeliveryError>;
}
