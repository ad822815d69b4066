//! Decide a change that a store has asked for.

use actix_web::{HttpResponse, web};
use utoipa::OpenApi;

use super::request::DecideChange;
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::order::response::{self, OrderResponse};
use crate::response::respond;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Refuse",
        request: include_str!("examples/decide.request.json"),
        response: Some(include_str!("examples/decide.response.json")),
    }],
    ..Operation::of_operators(
        "decideChange",
        "/admin/v1/orders/decide",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Decide a pending change
///
/// Approves or refuses the change that the store has asked for, or asks back. An approved change is applied to the
/// order as it is now; if it no longer fits, it stays pending.
#[utoipa::path(
    post,
    path = "/admin/v1/orders/decide",
    operation_id = "decideChange",
    tag = "orders",
    request_body(content = DecideChange),
    responses((status = 200, description = "The order as it now is.", body = OrderResponse))
)]
#[tracing::instrument(name = "api.desk.decide", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<DecideChange>,
) -> Result<HttpResponse, RequestError> {
    let orders = &api.services.orders;
    let (reach, by) = (api.reach(&request.caller), request.by());
    if request.draft.is_dry_run() {
        let run = orders.dry_run_decide(reach, &request.draft, &by).await;
        return respond(run, request.unknown, response::dry_run_for_operator);
    }
    let decided = orders.decide_change(reach, &request.draft, &by).await;
    request.note_store(&decided);
    respond(decided, request.unknown, response::updated_by_operator)
}
