//! Change a webhook endpoint, by an operator.

use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::operator::log_change;
use crate::webhook::request::UpdateWebhook;
use crate::webhook::response::{self, WebhookResponse};

operation! {
    /// Change a webhook endpoint
    ///
    /// Absent fields remain unchanged. If a store is added, the endpoint receives its events from
    /// the next event on.
    operator "updateWebhook" at "/admin/v1/webhooks/update";
    tag "webhooks", span "api.webhook.update";
    errors [StoreNotFound, WebhookNotFound];
    request UpdateWebhook;
    response WebhookResponse: "The endpoint as it now is.";
    example "Another URL, fewer types": "../examples/operator_update" request response;
}

async fn handle(call: ByOperator, request: Request<UpdateWebhook>) -> Response {
    let endpoints = call.api.services.webhooks.endpoints.by(call.author());
    let done = endpoints
        .update(&call.caller.operator, &request.draft)
        .await;
    if let Ok(changed) = &done {
        log_change(&call, changed.view.record.endpoint.id);
    }
    respond(done, request.unknown, response::changed)
}
