//! Create another secret of a webhook endpoint.

use pressline_backoffice::webhook::RotateSecretDraft;

use crate::json::Body;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::caller::WebhookCall;
use crate::webhook::request::{OfStore, RotateWebhookSecret};
use crate::webhook::response::{self, WebhookResponse};

operation! {
    /// Create another secret of a webhook endpoint
    ///
    /// Only this response shows the new secret. The old secret signs too, for `keepOldSeconds`, by
    /// default a day. At most two secrets sign: another rotation in this time ends the older
    /// secret.
    store "rotateWebhookSecret" at "/app/v1/webhooks/rotate-secret";
    tag "webhooks", span "api.webhook.rotate_secret";
    errors [WebhookNotFound];
    request OfStore<RotateWebhookSecret>;
    response WebhookResponse: "The endpoint with the new secret.";
    example "Another secret": "examples/rotate_secret" request response;
}

operation! {
    const FOR_OPERATORS;
    /// Create another secret of a webhook endpoint
    ///
    /// Only this response shows the new secret. The old secret signs too, for `keepOldSeconds`, by
    /// default a day. At most two secrets sign: another rotation in this time ends the older
    /// secret.
    operator "rotateWebhookSecret" at "/admin/v1/webhooks/rotate-secret";
    tag "webhooks", span "api.webhook.rotate_secret";
    errors [StoreNotFound, WebhookNotFound];
    request RotateWebhookSecret;
    response WebhookResponse: "The endpoint with the new secret.";
    example "Another secret": "examples/operator_rotate_secret" request response;
}

async fn handle(
    call: impl WebhookCall,
    request: Request<impl Body<Draft = RotateSecretDraft>>,
) -> Response {
    let endpoints = call.services().endpoints;
    let done = endpoints.rotate_secret(call.caller(), &request.draft).await;
    if let Ok(made) = &done {
        call.log_change(made.outcome.view.record.endpoint.id);
    }
    respond(done, request.unknown, response::with_secret)
}
