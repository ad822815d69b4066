//! Enable a webhook endpoint.

use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::request::{EnableWebhook, OfStore};
use crate::webhook::response::{self, WebhookResponse};

operation! {
    /// Enable a webhook endpoint
    ///
    /// The endpoint continues where it stopped (`from` is `stopped`), starts with events from now
    /// on (`now`), or starts after `afterSequence`. In the latter two cases, events that wait to be
    /// resent are dropped. A paused endpoint is tried immediately.
    store "enableWebhook" at "/app/v1/webhooks/enable";
    tag "webhooks", span "api.webhook.enable";
    errors [WebhookNotFound];
    request OfStore<EnableWebhook>;
    response WebhookResponse: "The endpoint as it now is.",
        replayed: "`true` if the endpoint was already enabled and not paused, and nothing changed.";
    example "From where it stopped": "examples/enable" request response;
}

async fn handle(call: Signed, request: Request<OfStore<EnableWebhook>>) -> Response {
    let endpoints = &call.api.services.webhooks.endpoints;
    let done = endpoints.enable(call.store.as_ref(), &request.draft).await;
    respond(done, request.unknown, response::changed)
}
