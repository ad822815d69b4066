//! Create a webhook endpoint.

use pressline_backoffice::webhook::EndpointDraft;

use crate::json::Body;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::caller::WebhookCall;
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

operation! {
    const FOR_OPERATORS;
    /// Create a webhook endpoint
    ///
    /// An endpoint of the print shop receives the events of all stores or of some. With `storeId`,
    /// the endpoint belongs to this store, and receives only its events. The print shop and each
    /// store can have up to 10 endpoints.
    operator "createWebhook" at "/admin/v1/webhooks/create";
    tag "webhooks", span "api.webhook.create";
    errors [StoreNotFound, TooManyWebhooks];
    request CreateWebhook;
    response WebhookResponse: "The endpoint with its secret.";
    example "All events": "examples/operator_create" request response;
}

async fn handle(
    call: impl WebhookCall,
    request: Request<impl Body<Draft = EndpointDraft>>,
) -> Response {
    let endpoints = call.services().endpoints;
    let done = endpoints.create(call.caller(), &request.draft).await;
    if let Ok(made) = &done {
        call.log_change(made.outcome.view.record.endpoint.id);
    }
    respond(done, request.unknown, response::with_secret)
}
