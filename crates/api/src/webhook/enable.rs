//! Enable a webhook endpoint.

use crate::intake::Request;
use crate::operation::operation;
use crate::response::{Response, respond};
use crate::signed::Signed;
use crate::webhook::request::{EnableWebhook, OfStore};
use crate::webhook::response::{self, WebhookResponse};

operation! {
    /// Enable a webhook endpoint
    ///
    /// The endpoint goes on where it stopped, begins with what happens from now on, or begins after a sequence.
    /// The latter two drop what waits to be sent again. An endpoint that pauses is tried at once.
    store "enableWebhook" at "/app/v1/webhooks/enable";
    tag "webhooks", span "api.webhook.enable";
    request OfStore<EnableWebhook>;
    response WebhookResponse: "The endpoint as it now is.",
        replayed: "`true` if it was enabled and did not pause, and nothing has changed.";
    example "From where it stopped": "examples/enable" request response;
}

async fn handle(call: Signed, request: Request<OfStore<EnableWebhook>>) -> Response {
    let endpoints = &call.api.services.webhooks.endpoints;
    let done = endpoints.enable(call.store.as_ref(), &request.draft).await;
    respond(done, request.unknown, response::changed)
}
