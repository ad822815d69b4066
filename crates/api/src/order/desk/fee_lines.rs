//! Add a fee line to an order.

use actix_web::{HttpResponse, web};
use utoipa::OpenApi;

use super::request::AddFeeLine;
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::order::response::{self, OrderResponse};
use crate::response::respond;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "A discount on shipping",
        request: include_str!("examples/fee_lines.request.json"),
        response: Some(include_str!("examples/fee_lines.response.json")),
    }],
    ..Operation::of_operators(
        "addFeeLine",
        "/admin/v1/orders/fee-lines",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Add a fee line
///
/// Raises or lowers a fee of the order by a line of its own, which survives every pricing. A fee never falls below
/// zero.
#[utoipa::path(
    post,
    path = "/admin/v1/orders/fee-lines",
    operation_id = "addFeeLine",
    tag = "orders",
    request_body(content = AddFeeLine),
    responses((status = 200, description = "The order as it now is.", body = OrderResponse))
)]
#[tracing::instrument(name = "api.desk.fee_lines", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<AddFeeLine>,
) -> Result<HttpResponse, RequestError> {
    let orders = &api.services.orders;
    let (reach, by) = (api.reach(&request.caller), request.by());
    let added = orders.correct_fees(reach, &request.draft, &by).await;
    request.note_store(&added);
    respond(added, request.unknown, response::updated_by_operator)
}
