//! Withdraw a change request.

use actix_web::{HttpResponse, web};
use utoipa::OpenApi;

use super::request::CommandBody;
use super::response::{self, OrderResponse};
use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Withdraw a change request",
        request: include_str!("examples/withdraw_change.request.json"),
        response: None,
    }],
    ..Operation::of_stores(
        "withdrawOrderChange",
        "/app/v1/orders/withdraw-change",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Withdraw a change request
///
/// Takes back the change that waits for the shop's decision. Its items get back the statuses that they had.
#[utoipa::path(
    post,
    path = "/app/v1/orders/withdraw-change",
    operation_id = "withdrawOrderChange",
    tag = "orders",
    request_body(content = CommandBody),
    responses((
        status = 200, description = "The order as it now is.", body = OrderResponse,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` if this was so already, and nothing has changed."
        ))
    ))
)]
#[tracing::instrument(name = "api.order.withdraw_change", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<CommandBody>,
) -> Result<HttpResponse, RequestError> {
    let caller = request.caller()?;
    let orders = &api.services.orders;
    let moved = orders
        .withdraw_change(&request.store, &request.draft, &caller)
        .await;
    respond(moved, request.unknown, response::moved)
}
