//! List webhook endpoints.

use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::request::{ListWebhooks, OfStore};
use crate::webhook::response::{self, WebhookList};

operation! {
    /// List webhook endpoints
    ///
    /// Returns your endpoints, oldest first, or only the endpoint `webhookId`.
    store "listWebhooks" at "/app/v1/webhooks/list";
    tag "webhooks", span "api.webhook.list";
    errors [WebhookNotFound];
    request OfStore<ListWebhooks>;
    response WebhookList: "The endpoints.";
    example "All endpoints": "examples/list" request response;
}

async fn handle(call: Signed, request: Request<OfStore<ListWebhooks>>) -> Response {
    let endpoints = &call.api.services.webhooks.endpoints;
    let done = endpoints.list(call.store.as_ref(), &request.draft).await;
    respond(done, request.unknown, response::list)
}
