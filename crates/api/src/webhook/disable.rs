//! Disable a webhook endpoint.

use pressline_backoffice::webhook::EndpointIdDraft;

use crate::json::Body;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::caller::WebhookCall;
use crate::webhook::request::{OfStore, WebhookIdRequest};
use crate::webhook::response::{self, WebhookResponse};

operation! {
    /// Disable a webhook endpoint
    ///
    /// No event is sent to the endpoint until it is enabled.
    store "disableWebhook" at "/app/v1/webhooks/disable";
    tag "webhooks", span "api.webhook.disable";
    errors [WebhookNotFound];
    request OfStore<WebhookIdRequest>;
    response WebhookResponse: "The endpoint as it now is.",
        replayed: "`true` if the endpoint was already disabled and nothing changed.";
    example "Disable it": "examples/disable" request response;
}

operation! {
    const FOR_OPERATORS;
    /// Disable a webhook endpoint
    ///
    /// No event is sent to the endpoint until it is enabled.
    operator "disableWebhook" at "/admin/v1/webhooks/disable";
    tag "webhooks", span "api.webhook.disable";
    errors [StoreNotFound, WebhookNotFound];
    request WebhookIdRequest;
    response WebhookResponse: "The endpoint as it now is.",
        replayed: "`true` if the endpoint was already disabled and nothing changed.";
    example "Disable it": "examples/operator_disable" request response;
}

async fn handle(
    call: impl WebhookCall,
    request: Request<impl Body<Draft = EndpointIdDraft>>,
) -> Response {
    let endpoints = call.services().endpoints;
    let done = endpoints.disable(call.caller(), &request.draft).await;
    if let Ok(changed) = &done {
        call.log_change(changed.view.record.endpoint.id);
    }
    respond(done, request.unknown, response::changed)
}
