//! Send an event again, by an operator.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;
use crate::webhook::request::ResendDelivery;
use crate::webhook::response::{self, QueuedResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Send it again",
        request: include_str!("../../examples/desk_deliveries_resend.request.json"),
        response: Some(include_str!(
            "../../examples/desk_deliveries_resend.response.json"
        )),
    }],
    ..Operation::of_operators(
        "resendDelivery",
        "/admin/v1/webhooks/deliveries/resend",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Send an event again
///
/// The event of a delivery is sent again to its endpoint, at once and then by the schedule. It has the same
/// id, type and sequence; its order is as it was right after it.
#[utoipa::path(
    post,
    path = "/admin/v1/webhooks/deliveries/resend",
    operation_id = "resendDelivery",
    tag = "webhooks",
    request_body(content = ResendDelivery),
    responses((
        status = 200, description = "How many events are sent again.", body = QueuedResponse
    ))
)]
#[tracing::instrument(name = "api.webhook.deliveries.resend", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<ResendDelivery>,
) -> Result<HttpResponse, RequestError> {
    let operator = &request.caller.operator;
    let done = api
        .services
        .webhooks
        .deliveries
        .by(request.author())
        .resend(operator, &request.draft)
        .await;
    respond(done, request.unknown, response::queued)
}
