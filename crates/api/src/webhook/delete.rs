//! Delete a webhook endpoint.

use pressline_backoffice::webhook::EndpointIdDraft;

use crate::json::Body;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::caller::WebhookCall;
use crate::webhook::request::{OfStore, WebhookIdRequest};
use crate::webhook::response::{self, NothingResponse};

operation! {
    /// Delete a webhook endpoint
    ///
    /// Deletes the endpoint with its deliveries. `data` is `null`.
    store "deleteWebhook" at "/app/v1/webhooks/delete";
    tag "webhooks", span "api.webhook.delete";
    errors [WebhookNotFound];
    request OfStore<WebhookIdRequest>;
    response NothingResponse: "It is deleted.";
    example "Delete it": "examples/delete" request response;
}

operation! {
    const FOR_OPERATORS;
    /// Delete a webhook endpoint
    ///
    /// Deletes the endpoint with its deliveries. `data` is `null`.
    operator "deleteWebhook" at "/admin/v1/webhooks/delete";
    tag "webhooks", span "api.webhook.delete";
    errors [StoreNotFound, WebhookNotFound];
    request WebhookIdRequest;
    response NothingResponse: "It is deleted.";
    example "Delete it": "examples/operator_delete" request response;
}

async fn handle(
    call: impl WebhookCall,
    request: Request<impl Body<Draft = EndpointIdDraft>>,
) -> Response {
    let endpoints = call.services().endpoints;
    let done = endpoints.delete(call.caller(), &request.draft).await;
    if done.is_ok() {
        // The endpoint no longer exists, so only the request has its id.
        call.log_change(request.draft.webhook_id.text().unwrap_or_default());
    }
    respond(done, request.unknown, response::deleted)
}
