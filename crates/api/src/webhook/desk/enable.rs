//! Enable a webhook endpoint, by an operator.

use actix_web::{HttpRequest, HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;
use crate::webhook::desk::log_change;
use crate::webhook::request::EnableWebhook;
use crate::webhook::response::{self, WebhookResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "From where it stopped",
        request: include_str!("../examples/desk_enable.request.json"),
        response: Some(include_str!("../examples/desk_enable.response.json")),
    }],
    ..Operation::of_operators(
        "enableWebhook",
        "/admin/v1/webhooks/enable",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Enable a webhook endpoint
///
/// The endpoint goes on where it stopped, or begins with what happens from now on. With `storeId`, it can
/// begin after a sequence of that store. An endpoint that pauses is tried at once.
#[utoipa::path(
    post,
    path = "/admin/v1/webhooks/enable",
    operation_id = "enableWebhook",
    tag = "webhooks",
    request_body(content = EnableWebhook),
    responses((
        status = 200, description = "The endpoint as it now is.", body = WebhookResponse,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` if it was enabled and did not pause, and nothing has changed."
        ))
    ))
)]
#[tracing::instrument(name = "api.webhook.enable", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    http: HttpRequest,
    request: ByOperator<EnableWebhook>,
) -> Result<HttpResponse, RequestError> {
    let operator = &request.caller.operator;
    let done = api
        .services
        .webhooks
        .endpoints
        .by(request.author())
        .enable(operator, &request.draft)
        .await;
    if let Ok(changed) = &done {
        log_change(&http, &request.caller, changed.view.record.endpoint.id);
    }
    respond(done, request.unknown, response::changed)
}
