//! Create another secret of a webhook endpoint, by an operator.

use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::operator::log_change;
use crate::webhook::request::RotateWebhookSecret;
use crate::webhook::response::{self, WebhookResponse};

operation! {
    /// Create another secret of a webhook endpoint
    ///
    /// Only this response shows the new secret. The old secret signs too, for `keepOldSeconds`, by
    /// default a day. At most two secrets sign: a further rotation ends the oldest.
    operator "rotateWebhookSecret" at "/admin/v1/webhooks/rotate-secret";
    tag "webhooks", span "api.webhook.rotate_secret";
    errors [StoreNotFound, WebhookNotFound];
    request RotateWebhookSecret;
    response WebhookResponse: "The endpoint with the new secret.";
    example "Another secret": "../examples/operator_rotate_secret" request response;
}

async fn handle(call: ByOperator, request: Request<RotateWebhookSecret>) -> Response {
    let endpoints = call.api.services.webhooks.endpoints.by(call.author());
    let done = endpoints
        .rotate_secret(&call.caller.operator, &request.draft)
        .await;
    if let Ok(made) = &done {
        log_change(&call, made.outcome.view.record.endpoint.id);
    }
    respond(done, request.unknown, response::with_secret)
}
