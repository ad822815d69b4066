//! Move orders: one command about many orders.

use actix_web::{HttpResponse, web};
use utoipa::OpenApi;

use super::request::MoveOrders;
use super::response::{self, MovedResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;
use crate::response::single::ListOf;
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    kind: CallKind::Large,
    examples: &[Example {
        title: "Hold orders",
        request: include_str!("examples/move.request.json"),
        response: Some(include_str!("examples/move.response.json")),
    }],
    ..Operation::of_operators(
        "moveOrders",
        "/admin/v1/orders/move",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// Documents the response.
type MovedList = ListOf<MovedResponse>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Move orders
///
/// Gives one command for 1 to 500 orders. Each is moved by itself: the response has a result for each, in the order of
/// the request, and a refusal does not affect the others. A repeated call finds moved orders `unchanged`.
#[utoipa::path(
    post,
    path = "/admin/v1/orders/move",
    operation_id = "moveOrders",
    tag = "orders",
    request_body(content = MoveOrders),
    responses((status = 200, description = "What became of each order.", body = MovedList))
)]
#[tracing::instrument(name = "api.desk.move", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<MoveOrders>,
) -> Result<HttpResponse, RequestError> {
    let orders = &api.services.orders;
    let (reach, by) = (api.reach(&request.caller), request.by());
    let moved = orders.move_orders(reach, &request.draft, &by).await;
    respond(moved, request.unknown, response::moved)
}
