//! Change a webhook endpoint.

use pressline_backoffice::webhook::EndpointDraft;

use crate::json::Body;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::caller::WebhookCall;
use crate::webhook::request::{OfStore, UpdateWebhook};
use crate::webhook::response::{self, WebhookResponse};

operation! {
    /// Change a webhook endpoint
    ///
    /// Absent fields remain unchanged. A paused endpoint is tried immediately if its `url` changes.
    store "updateWebhook" at "/app/v1/webhooks/update";
    tag "webhooks", span "api.webhook.update";
    errors [WebhookNotFound];
    request OfStore<UpdateWebhook>;
    response WebhookResponse: "The endpoint as it now is.";
    example "Another URL, fewer types": "examples/update" request response;
}

operation! {
    const FOR_OPERATORS;
    /// Change a webhook endpoint
    ///
    /// Absent fields remain unchanged. If you add a store, the endpoint receives the store's events
    /// from the next event on.
    operator "updateWebhook" at "/admin/v1/webhooks/update";
    tag "webhooks", span "api.webhook.update";
    errors [StoreNotFound, WebhookNotFound];
    request UpdateWebhook;
    response WebhookResponse: "The endpoint as it now is.";
    example "Another URL, fewer types": "examples/operator_update" request response;
}

async fn handle(
    call: impl WebhookCall,
    request: Request<impl Body<Draft = EndpointDraft>>,
) -> Response {
    let endpoints = call.services().endpoints;
    let done = endpoints.update(call.caller(), &request.draft).await;
    if let Ok(changed) = &done {
        call.log_change(changed.view.record.endpoint.id);
    }
    respond(done, request.unknown, response::changed)
}
