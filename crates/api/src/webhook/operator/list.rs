//! List webhook endpoints, by an operator.

use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::request::ListWebhooks;
use crate::webhook::response::{self, WebhookList};

operation! {
    /// List webhook endpoints
    ///
    /// Returns the endpoints of the print shop, or of the store `storeId`, oldest first. Operators
    /// that are bound to some stores see the endpoints that receive no other stores' events.
    operator "listWebhooks" at "/admin/v1/webhooks/list";
    tag "webhooks", span "api.webhook.list";
    errors [StoreNotFound, WebhookNotFound];
    request ListWebhooks;
    response WebhookList: "The endpoints.";
    example "All endpoints": "../examples/operator_list" request response;
}

async fn handle(call: ByOperator, request: Request<ListWebhooks>) -> Response {
    let endpoints = &call.api.services.webhooks.endpoints;
    let done = endpoints.list(&call.caller.operator, &request.draft).await;
    respond(done, request.unknown, response::list)
}
