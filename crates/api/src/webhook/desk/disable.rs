//! Disable a webhook endpoint, by an operator.

use actix_web::{HttpRequest, HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;
use crate::webhook::desk::log_change;
use crate::webhook::request::WebhookIdRequest;
use crate::webhook::response::{self, WebhookResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Disable it",
        request: include_str!("../examples/desk_disable.request.json"),
        response: Some(include_str!("../examples/desk_disable.response.json")),
    }],
    ..Operation::of_operators(
        "disableWebhook",
        "/admin/v1/webhooks/disable",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Disable a webhook endpoint
///
/// Nothing is sent to it until it is enabled.
#[utoipa::path(
    post,
    path = "/admin/v1/webhooks/disable",
    operation_id = "disableWebhook",
    tag = "webhooks",
    request_body(content = WebhookIdRequest),
    responses((
        status = 200, description = "The endpoint as it now is.", body = WebhookResponse,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` if it was disabled already, and nothing has changed."
        ))
    ))
)]
#[tracing::instrument(name = "api.webhook.disable", skip_all)]
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
        .disable(operator, &request.draft)
        .await;
    if let Ok(changed) = &done {
        log_change(&http, &request.caller, changed.view.record.endpoint.id);
    }
    respond(done, request.unknown, response::changed)
}
