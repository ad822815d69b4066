//! Replace items of an order: make them again with a new order.

use actix_web::{HttpResponse, web};
use utoipa::OpenApi;

use super::request::ReplaceOrder;
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::order::response::{self, OrderResponse};
use crate::response::respond;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "One unit again, free",
        request: include_str!("examples/replace.request.json"),
        response: Some(include_str!("examples/replace.response.json")),
    }],
    ..Operation::of_operators(
        "replaceOrder",
        "/admin/v1/orders/replace",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Replace items of an order
///
/// Makes items of an order again, with a new order that is ready at once, and free unless `charge` is true. Both orders
/// then name each other. A repeated call with the same `version` returns the order that it made.
#[utoipa::path(
    post,
    path = "/admin/v1/orders/replace",
    operation_id = "replaceOrder",
    tag = "orders",
    request_body(content = ReplaceOrder),
    responses((
        status = 200, description = "The new order.", body = OrderResponse,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` if an earlier call with the same request made the order."
        ))
    ))
)]
#[tracing::instrument(name = "api.desk.replace", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<ReplaceOrder>,
) -> Result<HttpResponse, RequestError> {
    let orders = &api.services.orders;
    let (reach, by) = (api.reach(&request.caller), request.by());
    let replaced = orders.replace(reach, &request.draft, &by).await;
    request.note_store(&replaced);
    respond(replaced, request.unknown, response::created_by_operator)
}
