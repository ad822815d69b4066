//! Hold an order.

use actix_web::{HttpResponse, web};
use utoipa::OpenApi;

use super::request::HoldBody;
use super::response::{self, OrderResponse};
use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Put items on hold",
        request: include_str!("examples/hold.request.json"),
        response: None,
    }],
    ..Operation::of_stores(
        "holdOrder",
        "/app/v1/orders/hold",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Hold an order
///
/// Early items are held at once. If an item is ready or in production, the whole call becomes a change request. A
/// hold does not stop the window in which you can change the order.
#[utoipa::path(
    post,
    path = "/app/v1/orders/hold",
    operation_id = "holdOrder",
    tag = "orders",
    request_body(content = HoldBody),
    responses((
        status = 200, description = "The order as it now is.", body = OrderResponse,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` if this was so already, and nothing has changed."
        ))
    ))
)]
#[tracing::instrument(name = "api.order.hold", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<HoldBody>,
) -> Result<HttpResponse, RequestError> {
    let caller = request.caller()?;
    let orders = &api.services.orders;
    let moved = orders.hold(&request.store, &request.draft, &caller).await;
    respond(moved, request.unknown, response::moved)
}
