//! Create order: an order that the service ships.

use actix_web::{HttpResponse, web};
use utoipa::OpenApi;

use super::request::{self, OrderRequest, UnlabelledOrderRequest};
use super::response::{self, OrderResponse};
use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    creates: true,
    request: Some(&request::CREATE),
    examples: &[
        Example {
            title: "A shirt to the United States",
            request: include_str!("examples/create.request.json"),
            response: Some(include_str!("examples/create.response.json")),
        },
        Example {
            title: "As little as possible, to Germany",
            request: include_str!("examples/create_as_little_as_possible_to_germany.request.json"),
            response: None,
        },
    ],
    ..Operation::of_stores(
        "createOrder",
        "/app/v1/orders/create",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Create an order
///
/// Prices the order and stores it. If the same request is repeated, the response is the stored
/// order with `Already exists`; a different request with the same `order_id` is refused.
#[utoipa::path(
    post,
    path = "/app/v1/orders/create",
    operation_id = "createOrder",
    tag = "orders",
    request_body(content = OrderRequest),
    responses((
        status = 200, description = "The order as it is stored.", body = OrderResponse,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` if an earlier call with the same request created the order."
        ))
    ))
)]
#[tracing::instrument(name = "api.order.create", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<UnlabelledOrderRequest>,
) -> Result<HttpResponse, RequestError> {
    let orders = &api.services.orders;
    if request.draft.is_dry_run() {
        let run = orders.dry_run_create(&request.store, &request.draft).await;
        return respond(run, request.unknown, response::dry_run_of_create);
    }
    let caller = request.caller()?;
    let placed = orders.create(&request.store, &request.draft, &caller).await;
    respond(placed, request.unknown, response::created)
}
