//! Delete a webhook endpoint, by an operator.

use actix_web::{HttpRequest, HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;
use crate::webhook::desk::log_change;
use crate::webhook::request::WebhookIdRequest;
use crate::webhook::response::{self, NothingResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Delete it",
        request: include_str!("../examples/desk_delete.request.json"),
        response: Some(include_str!("../examples/desk_delete.response.json")),
    }],
    ..Operation::of_operators(
        "deleteWebhook",
        "/admin/v1/webhooks/delete",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Delete a webhook endpoint
///
/// The endpoint is deleted with its deliveries. `data` is null.
#[utoipa::path(
    post,
    path = "/admin/v1/webhooks/delete",
    operation_id = "deleteWebhook",
    tag = "webhooks",
    request_body(content = WebhookIdRequest),
    responses((
        status = 200, description = "It is deleted.", body = NothingResponse
    ))
)]
#[tracing::instrument(name = "api.webhook.delete", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    http: HttpRequest,
    request: ByOperator<WebhookIdRequest>,
) -> Result<HttpResponse, RequestError> {
    let operator = &request.caller.operator;
    let done = api
        .services
        .webhooks
        .endpoints
        .by(request.author())
        .delete(operator, &request.draft)
        .await;
    if done.is_ok() {
        let id = request.draft.webhook_id.text();
        log_change(&http, &request.caller, id.unwrap_or_default());
    }
    respond(done, request.unknown, response::deleted)
}
