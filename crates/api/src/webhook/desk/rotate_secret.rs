//! Create another secret of a webhook endpoint, by an operator.

use actix_web::{HttpRequest, HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;
use crate::webhook::desk::log_change;
use crate::webhook::request::RotateWebhookSecret;
use crate::webhook::response::{self, WebhookResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Another secret",
        request: include_str!("../examples/desk_rotate_secret.request.json"),
        response: Some(include_str!("../examples/desk_rotate_secret.response.json")),
    }],
    ..Operation::of_operators(
        "rotateWebhookSecret",
        "/admin/v1/webhooks/rotate-secret",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Create another secret of a webhook endpoint
///
/// The new secret is shown only in this response. The old one signs too, for a day unless the request says
/// otherwise. Two secrets sign at most: a further rotation ends the oldest.
#[utoipa::path(
    post,
    path = "/admin/v1/webhooks/rotate-secret",
    operation_id = "rotateWebhookSecret",
    tag = "webhooks",
    request_body(content = RotateWebhookSecret),
    responses((
        status = 200, description = "The endpoint with the new secret.", body = WebhookResponse
    ))
)]
#[tracing::instrument(name = "api.webhook.rotate_secret", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    http: HttpRequest,
    request: ByOperator<RotateWebhookSecret>,
) -> Result<HttpResponse, RequestError> {
    let operator = &request.caller.operator;
    let done = api
        .services
        .webhooks
        .endpoints
        .by(request.author())
        .rotate_secret(operator, &request.draft)
        .await;
    if let Ok(made) = &done {
        log_change(&http, &request.caller, made.outcome.view.record.endpoint.id);
    }
    respond(done, request.unknown, response::with_secret)
}
