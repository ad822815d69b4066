//! Change a webhook endpoint.

use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
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

async fn handle(call: Signed, request: Request<OfStore<UpdateWebhook>>) -> Response {
    let endpoints = &call.api.services.webhooks.endpoints;
    let done = endpoints.update(call.store.as_ref(), &request.draft).await;
    respond(done, request.unknown, response::changed)
}
