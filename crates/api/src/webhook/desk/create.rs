//! Create a webhook endpoint, by an operator.

use actix_web::{HttpRequest, HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;
use crate::webhook::desk::log_change;
use crate::webhook::request::CreateWebhook;
use crate::webhook::response::{self, WebhookResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "All events",
        request: include_str!("../examples/desk_create.request.json"),
        response: Some(include_str!("../examples/desk_create.response.json")),
    }],
    ..Operation::of_operators(
        "createWebhook",
        "/admin/v1/webhooks/create",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Create a webhook endpoint
///
/// An endpoint of the shop hears all stores or some; with `storeId`, it is one of that store. An owner has at
/// most 10.
#[utoipa::path(
    post,
    path = "/admin/v1/webhooks/create",
    operation_id = "createWebhook",
    tag = "webhooks",
    request_body(content = CreateWebhook),
    responses((
        status = 200, description = "The endpoint with its secret.", body = WebhookResponse
    ))
)]
#[tracing::instrument(name = "api.webhook.create", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    http: HttpRequest,
    request: ByOperator<CreateWebhook>,
) -> Result<HttpResponse, RequestError> {
    let operator = &request.caller.operator;
    let done = api
        .services
        .webhooks
        .endpoints
        .by(request.author())
        .create(operator, &request.draft)
        .await;
    if let Ok(made) = &done {
        log_change(&http, &request.caller, made.outcome.view.record.endpoint.id);
    }
    respond(done, request.unknown, response::with_secret)
}
