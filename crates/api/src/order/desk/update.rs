//! Update order: changes an order on behalf of its store.

use actix_web::{HttpResponse, web};
use utoipa::OpenApi;

use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::order::response::{self, OrderResponse};
use crate::order::update::UpdateOrder;
use crate::response::respond;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Another quantity",
        request: include_str!("examples/update.request.json"),
        response: Some(include_str!("examples/update.response.json")),
    }],
    ..Operation::of_operators(
        "updateOrder",
        "/admin/v1/orders/update",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Update an order
///
/// Applies all changes of the request at once, on behalf of the store, until the items that they concern are done.
/// Fees are computed again. Fields that are absent stay.
#[utoipa::path(
    post,
    path = "/admin/v1/orders/update",
    operation_id = "updateOrder",
    tag = "orders",
    request_body(content = UpdateOrder),
    responses((status = 200, description = "The order as it now is.", body = OrderResponse))
)]
#[tracing::instrument(name = "api.desk.update", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<UpdateOrder>,
) -> Result<HttpResponse, RequestError> {
    let orders = &api.services.orders;
    let (reach, by) = (api.reach(&request.caller), request.by());
    if request.draft.is_dry_run() {
        let run = orders.dry_run_update(reach, &request.draft, &by).await;
        return respond(run, request.unknown, response::dry_run_for_operator);
    }
    let updated = orders.update(reach, &request.draft, &by).await;
    request.note_store(&updated);
    respond(updated, request.unknown, response::updated_by_operator)
}
