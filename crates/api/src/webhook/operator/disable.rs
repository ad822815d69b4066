//! Disable a webhook endpoint, by an operator.

use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::operator::log_change;
use crate::webhook::request::WebhookIdRequest;
use crate::webhook::response::{self, WebhookResponse};

operation! {
    /// Disable a webhook endpoint
    ///
    /// No event is sent to the endpoint until it is enabled.
    operator "disableWebhook" at "/admin/v1/webhooks/disable";
    tag "webhooks", span "api.webhook.disable";
    errors [StoreNotFound, WebhookNotFound];
    request WebhookIdRequest;
    response WebhookResponse: "The endpoint as it now is.",
        replayed: "`true` if the endpoint was already disabled and nothing changed.";
    example "Disable it": "../examples/operator_disable" request response;
}

async fn handle(call: ByOperator, request: Request<WebhookIdRequest>) -> Response {
    let endpoints = call.api.services.webhooks.endpoints.by(call.author());
    let done = endpoints
        .disable(&call.caller.operator, &request.draft)
        .await;
    if let Ok(changed) = &done {
        log_change(&call, changed.view.record.endpoint.id);
    }
    respond(done, request.unknown, response::changed)
}
