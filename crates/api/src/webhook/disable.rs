//! Disable a webhook endpoint.

use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
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

async fn handle(call: Signed, request: Request<OfStore<WebhookIdRequest>>) -> Response {
    let endpoints = &call.api.services.webhooks.endpoints;
    let done = endpoints.disable(call.store.as_ref(), &request.draft).await;
    respond(done, request.unknown, response::changed)
}
