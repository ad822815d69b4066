//! Enable a webhook endpoint.

use pressline_backoffice::webhook::EnableDraft;

use crate::json::Body;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::caller::WebhookCall;
use crate::webhook::request::{EnableWebhook, OfStore};
use crate::webhook::response::{self, WebhookResponse};

operation! {
    /// Enable a webhook endpoint
    ///
    /// The endpoint continues where it stopped (`from` is `stopped`), starts with events from now
    /// on (`now`), or starts after `afterSequence`. With `now` or `afterSequence`, events that wait
    /// to be sent again are dropped. A paused endpoint is tried immediately.
    store "enableWebhook" at "/app/v1/webhooks/enable";
    tag "webhooks", span "api.webhook.enable";
    errors [WebhookNotFound];
    request OfStore<EnableWebhook>;
    response WebhookResponse: "The endpoint as it now is.",
        replayed: "`true` if the endpoint was already enabled and not paused, and nothing changed.";
    example "From where it stopped": "examples/enable" request response;
}

operation! {
    const FOR_OPERATORS;
    /// Enable a webhook endpoint
    ///
    /// The endpoint continues where it stopped (`from` is `stopped`), or starts with events from
    /// now on (`now`). With `storeId`, it can also start after `afterSequence`. With `now` or
    /// `afterSequence`, events that wait to be sent again are dropped. A paused endpoint is tried
    /// immediately.
    operator "enableWebhook" at "/admin/v1/webhooks/enable";
    tag "webhooks", span "api.webhook.enable";
    errors [StoreNotFound, WebhookNotFound];
    request EnableWebhook;
    response WebhookResponse: "The endpoint as it now is.",
        replayed: "`true` if the endpoint was already enabled and not paused, and nothing changed.";
    example "From where it stopped": "examples/operator_enable" request response;
}

async fn handle(
    call: impl WebhookCall,
    request: Request<impl Body<Draft = EnableDraft>>,
) -> Response {
    let endpoints = call.services().endpoints;
    let done = endpoints.enable(call.caller(), &request.draft).await;
    if let Ok(changed) = &done {
        call.log_change(changed.view.record.endpoint.id);
    }
    respond(done, request.unknown, response::changed)
}
