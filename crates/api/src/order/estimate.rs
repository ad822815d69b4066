//! Estimate order: what a cart costs, and the ways to ship it. Nothing is stored.

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
    request: Some(&request::ESTIMATE),
    examples: &[
        Example {
            title: "A shirt and a mug to the United States",
            request: include_str!("examples/estimate.request.json"),
            response: Some(include_str!("examples/estimate.response.json")),
        },
        Example {
            title: "A cart to France",
            request: include_str!("examples/estimate_a_cart_to_france.request.json"),
            response: None,
        },
        Example {
            title: "A mug with a label",
            request: include_str!("examples/estimate_a_mug_with_a_label.request.json"),
            response: None,
        },
    ],
    ..Operation::of_stores(
        "estimateOrder",
        "/app/v1/orders/estimate",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Estimate an order
///
/// Prices a cart and stores nothing. The body is that of create order or create order label, but
/// only `line_items` and the country of the shipping address are required (for US, CA and AU also
/// the province). A field that is present is checked as in create.
///
/// The response is the order as it would be stored, with `dryRun`. Its `id`, its `serviceOrderId`
/// and the ids of its items are null, because an order gets them when it is stored; fields that the
/// body lacks are empty. A create with the same items and destination results in the same fees,
/// unless a price changes in between.
///
/// If no item names a `shipClass`, `shippingOptions` lists the classes that all items can be sent
/// in and that have a rate for the destination, cheapest first. A create with this `shipClass` for
/// each item results in that `shippingFee` and `totalCost`. A label order has no shipping options.
///
/// If an order with the `order_id` exists, the response is that of create: the order, with
/// `Already exists`, if the request is the same, otherwise 409.
#[utoipa::path(
    post,
    path = "/app/v1/orders/estimate",
    operation_id = "estimateOrder",
    tag = "orders",
    request_body(content = OrderRequest),
    responses((
        status = 200, description = "The order as it would be stored, and the ways to ship it.", body = OrderResponse,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` if an earlier call with the same request created the order."
        ))
    ))
)]
#[tracing::instrument(name = "api.order.estimate", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<OrderRequest>,
) -> Result<HttpResponse, RequestError> {
    let orders = &api.services.orders;
    let run = orders.estimate(&request.store, &request.draft).await;
    respond(run, request.unknown, response::dry_run_of_create)
}
