//! List webhook endpoints.

use pressline_backoffice::webhook::EndpointIdDraft;

use crate::json::Body;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::caller::WebhookCall;
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

operation! {
    const FOR_OPERATORS;
    /// List webhook endpoints
    ///
    /// Returns the endpoints of the print shop, or of the store `storeId`, oldest first. Operators
    /// with access to only some stores see only endpoints that receive no other stores' events.
    operator "listWebhooks" at "/admin/v1/webhooks/list";
    tag "webhooks", span "api.webhook.list";
    errors [StoreNotFound, WebhookNotFound];
    request ListWebhooks;
    response WebhookList: "The endpoints.";
    example "All endpoints": "examples/operator_list" request response;
}

async fn handle(
    call: impl WebhookCall,
    request: Request<impl Body<Draft = EndpointIdDraft>>,
) -> Response {
    let endpoints = call.services().endpoints;
    let done = endpoints.list(call.caller(), &request.draft).await;
    respond(done, request.unknown, response::list)
}
