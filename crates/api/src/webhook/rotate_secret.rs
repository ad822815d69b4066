//! Create another secret of a webhook endpoint.

use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::request::{OfStore, RotateWebhookSecret};
use crate::webhook::response::{self, WebhookResponse};

operation! {
    /// Create another secret of a webhook endpoint
    ///
    /// Only this response shows the new secret. The old secret signs too, for `keepOldSeconds`, by
    /// default a day. At most two secrets sign: a further rotation ends the oldest.
    store "rotateWebhookSecret" at "/app/v1/webhooks/rotate-secret";
    tag "webhooks", span "api.webhook.rotate_secret";
    errors [WebhookNotFound];
    request OfStore<RotateWebhookSecret>;
    response WebhookResponse: "The endpoint with the new secret.";
    example "Another secret": "examples/rotate_secret" request response;
}

async fn handle(call: Signed, request: Request<OfStore<RotateWebhookSecret>>) -> Response {
    let endpoints = &call.api.services.webhooks.endpoints;
    let done = endpoints
        .rotate_secret(call.store.as_ref(), &request.draft)
        .await;
    respond(done, request.unknown, response::with_secret)
}
