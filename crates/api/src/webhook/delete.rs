//! Delete a webhook endpoint.

use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
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

async fn handle(call: Signed, request: Request<OfStore<WebhookIdRequest>>) -> Response {
    let endpoints = &call.api.services.webhooks.endpoints;
    let done = endpoints.delete(call.store.as_ref(), &request.draft).await;
    respond(done, request.unknown, response::deleted)
}
