//! Create a webhook endpoint.

use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::request::{CreateWebhook, OfStore};
use crate::webhook::response::{self, WebhookResponse};

operation! {
    /// Create a webhook endpoint
    ///
    /// Events from now on are sent to `url`. Only this response shows the secret that signs them.
    store "createWebhook" at "/app/v1/webhooks/create";
    tag "webhooks", span "api.webhook.create";
    errors [TooManyWebhooks];
    request OfStore<CreateWebhook>;
    response WebhookResponse: "The endpoint with its secret.";
    example "All events": "examples/create" request response;
}

async fn handle(call: Signed, request: Request<OfStore<CreateWebhook>>) -> Response {
    let endpoints = &call.api.services.webhooks.endpoints;
    let done = endpoints.create(call.store.as_ref(), &request.draft).await;
    respond(done, request.unknown, response::with_secret)
}
