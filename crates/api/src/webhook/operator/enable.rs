//! Enable a webhook endpoint, by an operator.

use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::operator::log_change;
use crate::webhook::request::EnableWebhook;
use crate::webhook::response::{self, WebhookResponse};

operation! {
    /// Enable a webhook endpoint
    ///
    /// The endpoint continues where it stopped, or starts with events from now on. With `storeId`,
    /// it can start after a sequence of this store. A paused endpoint is tried immediately.
    operator "enableWebhook" at "/admin/v1/webhooks/enable";
    tag "webhooks", span "api.webhook.enable";
    errors [StoreNotFound, WebhookNotFound];
    request EnableWebhook;
    response WebhookResponse: "The endpoint as it now is.",
        replayed: "`true` if the endpoint was already enabled and not paused, and nothing changed.";
    example "From where it stopped": "../examples/operator_enable" request response;
}

async fn handle(call: ByOperator, request: Request<EnableWebhook>) -> Response {
    let endpoints = call.api.services.webhooks.endpoints.by(call.author());
    let done = endpoints
        .enable(&call.caller.operator, &request.draft)
        .await;
    if let Ok(changed) = &done {
        log_change(&call, changed.view.record.endpoint.id);
    }
    respond(done, request.unknown, response::changed)
}
