//! Create a webhook endpoint, by an operator.

use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::operator::log_change;
use crate::webhook::request::CreateWebhook;
use crate::webhook::response::{self, WebhookResponse};

operation! {
    /// Create a webhook endpoint
    ///
    /// An endpoint of the print shop receives the events of all stores or of some; with `storeId`,
    /// the endpoint belongs to this store. An owner can have up to 10 endpoints.
    operator "createWebhook" at "/admin/v1/webhooks/create";
    tag "webhooks", span "api.webhook.create";
    errors [StoreNotFound, TooManyWebhooks];
    request CreateWebhook;
    response WebhookResponse: "The endpoint with its secret.";
    example "All events": "../examples/operator_create" request response;
}

async fn handle(call: ByOperator, request: Request<CreateWebhook>) -> Response {
    let endpoints = call.api.services.webhooks.endpoints.by(call.author());
    let done = endpoints
        .create(&call.caller.operator, &request.draft)
        .await;
    if let Ok(made) = &done {
        log_change(&call, made.outcome.view.record.endpoint.id);
    }
    respond(done, request.unknown, response::with_secret)
}
