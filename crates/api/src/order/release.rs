//! Release an order.

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
        title: "Release items",
        request: include_str!("examples/release.request.json"),
        response: None,
    }],
    ..Operation::of_stores(
        "releaseOrder",
        "/app/v1/orders/release",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Release an order
///
/// Ends your own holds. An item whose window has ended meanwhile becomes ready at once.
#[utoipa::path(
    post,
    path = "/app/v1/orders/release",
    operation_id = "releaseOrder",
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
#[tracing::instrument(name = "api.order.release", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<ItemsCommandBody>,
) -> Result<HttpResponse, RequestError> {
    let caller = request.caller()?;
    let orders = &api.services.orders;
    let moved = orders
        .release(&request.store, &request.draft, &caller)
        .await;
    respond(moved, request.unknown, response::moved)
}
