//! Change a webhook endpoint, by an operator.

use actix_web::{HttpRequest, HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;
use crate::webhook::desk::log_change;
use crate::webhook::request::UpdateWebhook;
use crate::webhook::response::{self, WebhookResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Another URL, fewer types",
        request: include_str!("../examples/desk_update.request.json"),
        response: Some(include_str!("../examples/desk_update.response.json")),
    }],
    ..Operation::of_operators(
        "updateWebhook",
        "/admin/v1/webhooks/update",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Change a webhook endpoint
///
/// Absent fields stay. A store that is heard from now on is heard from its next event on.
#[utoipa::path(
    post,
    path = "/admin/v1/webhooks/update",
    operation_id = "updateWebhook",
    tag = "webhooks",
    request_body(content = UpdateWebhook),
    responses((
        status = 200, description = "The endpoint as it now is.", body = WebhookResponse
    ))
)]
#[tracing::instrument(name = "api.webhook.update", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    http: HttpRequest,
    request: ByOperator<UpdateWebhook>,
) -> Result<HttpResponse, RequestError> {
    let operator = &request.caller.operator;
    let done = api
        .services
        .webhooks
        .endpoints
        .by(request.author())
        .update(operator, &request.draft)
        .await;
    if let Ok(changed) = &done {
        log_change(&http, &request.caller, changed.view.record.endpoint.id);
    }
    respond(done, request.unknown, response::changed)
}
