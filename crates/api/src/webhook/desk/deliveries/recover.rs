//! Send all events again that an endpoint did not take, by an operator.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;
use crate::webhook::request::RecoverDeliveries;
use crate::webhook::response::{self, QueuedResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "All since a moment",
        request: include_str!("../../examples/desk_deliveries_recover.request.json"),
        response: Some(include_str!(
            "../../examples/desk_deliveries_recover.response.json"
        )),
    }],
    ..Operation::of_operators(
        "recoverDeliveries",
        "/admin/v1/webhooks/deliveries/recover",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Send all events again that an endpoint did not take
///
/// All events since a time that the endpoint did not take are sent again, at once and then by the schedule:
/// of those that the log of deliveries knows. With `storeId`, they can be those since a sequence.
#[utoipa::path(
    post,
    path = "/admin/v1/webhooks/deliveries/recover",
    operation_id = "recoverDeliveries",
    tag = "webhooks",
    request_body(content = RecoverDeliveries),
    responses((
        status = 200, description = "How many events are sent again.", body = QueuedResponse
    ))
)]
#[tracing::instrument(name = "api.webhook.deliveries.recover", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<RecoverDeliveries>,
) -> Result<HttpResponse, RequestError> {
    let operator = &request.caller.operator;
    let done = api
        .services
        .webhooks
        .deliveries
        .by(request.author())
        .recover(operator, &request.draft)
        .await;
    respond(done, request.unknown, response::queued)
}
