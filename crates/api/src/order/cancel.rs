//! Cancel an order.

use actix_web::{HttpResponse, web};
use utoipa::OpenApi;

use super::request::ItemsCommandBody;
use super::response::{self, OrderResponse};
use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Cancel items",
        request: include_str!("examples/cancel.request.json"),
        response: None,
    }],
    ..Operation::of_stores(
        "cancelOrder",
        "/app/v1/orders/cancel",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Cancel an order
///
/// Early items are cancelled at once, free of charge. If an item is ready or in production, the whole call becomes
/// a change request, which the shop decides: the response then has `pendingChange`.
#[utoipa::path(
    post,
    path = "/app/v1/orders/cancel",
    operation_id = "cancelOrder",
    tag = "orders",
    request_body(content = ItemsCommandBody),
    responses((
        status = 200, description = "The order as it now is.", body = OrderResponse,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` if this was so already, and nothing has changed."
        ))
    ))
)]
#[tracing::instrument(name = "api.order.cancel", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<ItemsCommandBody>,
) -> Result<HttpResponse, RequestError> {
    let caller = request.caller()?;
    let orders = &api.services.orders;
    let moved = orders.cancel(&request.store, &request.draft, &caller).await;
    respond(moved, request.unknown, response::moved)
}
