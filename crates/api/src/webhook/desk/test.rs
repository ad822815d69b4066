//! Test a webhook endpoint, by an operator.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;
use crate::webhook::request::WebhookIdRequest;
use crate::webhook::response::{self, DeliveryResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Try it",
        request: include_str!("../examples/desk_test.request.json"),
        response: Some(include_str!("../examples/desk_test.response.json")),
    }],
    ..Operation::of_operators(
        "testWebhook",
        "/admin/v1/webhooks/test",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Test a webhook endpoint
///
/// Sends an event of the type `webhook.test` at once, also to a disabled endpoint, and returns the delivery.
/// There is one attempt, and its outcome changes nothing. Of the shop's endpoints, the store of the event is
/// the nil UUID.
#[utoipa::path(
    post,
    path = "/admin/v1/webhooks/test",
    operation_id = "testWebhook",
    tag = "webhooks",
    request_body(content = WebhookIdRequest),
    responses((
        status = 200, description = "The delivery.", body = DeliveryResponse
    ))
)]
#[tracing::instrument(name = "api.webhook.test", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<WebhookIdRequest>,
) -> Result<HttpResponse, RequestError> {
    let operator = &request.caller.operator;
    let done = api
        .services
        .webhooks
        .tester
        .by(request.author())
        .test(operator, &request.draft)
        .await;
    respond(done, request.unknown, response::delivery)
}
