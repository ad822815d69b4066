//! HTTP sender for real receivers.

use std::sync::Arc;

use async_trait::async_trait;
use pressline_backoffice::webhook::{DeliveryError, EndpointOwner};
use pressline_egress::header::{HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use pressline_egress::{Client, EgressError, Limits, Post};
use pressline_kit::url::UrlPolicy;

use crate::sender::{Headers, Request, Response, Sender};

/// [`Sender`] over the egress [`Client`]: it connects to permitted addresses only.
pub struct Outbound {
    client: Arc<Client>,
    of_shop: UrlPolicy,
    of_stores: UrlPolicy,
    limits: Limits,
}

impl Outbound {
    /// Creates a sender. `of_shop` is the policy for URLs of the print shop's endpoints, and
    /// `of_stores` for URLs of the stores' endpoints.
    pub const fn new(
        client: Arc<Client>,
        of_shop: UrlPolicy,
        of_stores: UrlPolicy,
        limits: Limits,
    ) -> Self {
        Self {
            client,
            of_shop,
            of_stores,
            limits,
        }
    }
}

#[async_trait]
impl Sender for Outbound {
    async fn send(&self, request: Request<'_>) -> Result<Response, DeliveryError> {
        let policy = match request.owner {
            EndpointOwner::Shop => &self.of_shop,
            EndpointOwner::Store(_) => &self.of_stores,
        };
        let post = Post {
            url: request.url,
            headers: headers(request.headers),
            body: request.body,
            policy,
            limits: self.limits,
        };
        match self.client.post(post).await {
            Ok(response) => Ok(Response {
                status: response.status(),
                retry_after: response.header(RETRY_AFTER).map(str::to_owned),
                body: response.body().to_vec(),
            }),
            Err(error) => {
                let why: &dyn std::error::Error = &error;
                tracing::debug!(error = why, "a webhook was not sent");
                Err(delivery_error(&error))
            }
        }
    }
}

/// Leaves out values with control characters, which no value of [`Headers`] contains.
fn headers(headers: Headers) -> HeaderMap {
    let pairs = headers.into_iter().filter_map(|(name, value)| {
        let value = HeaderValue::try_from(value).ok()?;
        Some((HeaderName::from_static(name), value))
    });
    pairs.collect()
}

fn delivery_error(error: &EgressError) -> DeliveryError {
    match error {
        EgressError::AddressNotAllowed(_) => DeliveryError::AddressNotAllowed,
        EgressError::Dns(_) => DeliveryError::Dns,
        EgressError::Connect(_) => DeliveryError::Connect,
        EgressError::Tls(_) => DeliveryError::Tls,
        EgressError::Timeout(_) => DeliveryError::Timeout,
        EgressError::Closed(_) => DeliveryError::Closed,
        EgressError::InvalidResponse(_) => DeliveryError::InvalidResponse,
    }
}
