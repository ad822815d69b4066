//! List webhook endpoints, by an operator.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;
use crate::webhook::request::ListWebhooks;
use crate::webhook::response::{self, WebhookList};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "All endpoints",
        request: include_str!("../examples/desk_list.request.json"),
        response: Some(include_str!("../examples/desk_list.response.json")),
    }],
    ..Operation::of_operators(
        "listWebhooks",
        "/admin/v1/webhooks/list",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// List webhook endpoints
///
/// Returns the endpoints of the shop, or of the store that the request names, oldest first. An operator who
/// is bound to some stores sees the endpoints that hear no others.
#[utoipa::path(
    post,
    path = "/admin/v1/webhooks/list",
    operation_id = "listWebhooks",
    tag = "webhooks",
    request_body(content = ListWebhooks),
    responses((
        status = 200, description = "The endpoints.", body = WebhookList
    ))
)]
#[tracing::instrument(name = "api.webhook.list", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<ListWebhooks>,
) -> Result<HttpResponse, RequestError> {
    let operator = &request.caller.operator;
    let done = api
        .services
        .webhooks
        .endpoints
        .list(operator, &request.draft)
        .await;
    respond(done, request.unknown, response::list)
}
