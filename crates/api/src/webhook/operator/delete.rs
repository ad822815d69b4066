//! Delete a webhook endpoint, by an operator.

use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::operator::log_change;
use crate::webhook::request::WebhookIdRequest;
use crate::webhook::response::{self, NothingResponse};

operation! {
    /// Delete a webhook endpoint
    ///
    /// Deletes the endpoint with its deliveries. `data` is `null`.
    operator "deleteWebhook" at "/admin/v1/webhooks/delete";
    tag "webhooks", span "api.webhook.delete";
    errors [StoreNotFound, WebhookNotFound];
    request WebhookIdRequest;
    response NothingResponse: "It is deleted.";
    example "Delete it": "../examples/operator_delete" request response;
}

async fn handle(call: ByOperator, request: Request<WebhookIdRequest>) -> Response {
    let endpoints = call.api.services.webhooks.endpoints.by(call.author());
    let done = endpoints
        .delete(&call.caller.operator, &request.draft)
        .await;
    if done.is_ok() {
        // The endpoint no longer exists, so only the request has its id.
        let id = request.draft.webhook_id.text();
        log_change(&call, id.unwrap_or_default());
    }
    respond(done, request.unknown, response::deleted)
}
