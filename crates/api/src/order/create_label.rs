//! Create order label: an order that ships with a label the store prepared.

use actix_web::{HttpResponse, web};
use utoipa::OpenApi;

use super::request::{self, OrderRequest};
use super::response::{self, OrderResponse};
use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    creates: true,
    request: Some(&request::CREATE_LABEL),
    examples: &[Example {
        title: "A mug with a label",
        request: include_str!("examples/create_label.request.json"),
        response: Some(include_str!("examples/create_label.response.json")),
    }],
    ..Operation::of_stores(
        "createOrderLabel",
        "/app/v1/orders/create-label",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Create an order with a prepared shipping label
///
/// Like create order, but the store provides the shipping label: the order costs a handling fee,
/// and `shippingAddress` in the response has the keys of requests.
#[utoipa::path(
    post,
    path = "/app/v1/orders/create-label",
    operation_id = "createOrderLabel",
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
#[tracing::instrument(name = "api.order.create_label", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<OrderRequest>,
) -> Result<HttpResponse, RequestError> {
    let orders = &api.services.orders;
    if request.draft.is_dry_run() {
        let run = orders
            .dry_run_create_label(&request.store, &request.draft)
            .await;
        return respond(run, request.unknown, response::dry_run_of_create);
    }
    let caller = request.caller()?;
    let placed = orders
        .create_label(&request.store, &request.draft, &caller)
        .await;
    respond(placed, request.unknown, response::created)
}
