//! Estimate order: what a cart costs, and the ways to ship it. Nothing is stored.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use utoipa::OpenApi;

use super::request::{self, OrderRequest};
use super::response::{self, OrderResponse, OrderResult};
use crate::Api;
use crate::operations::{Access, Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    id: "estimateOrder",
    method: Method::POST,
    path: "/app/v1/orders/estimate",
    aliases: &[],
    access: Access::Signed,
    kind: CallKind::Ordinary,
    route: || web::post().to(handle),
    document: Document::openapi,
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
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Estimate an order
///
/// Prices a cart. Takes the body of create order or create order label, of which little is
/// required: `line_items` and, of the shipping address, the country (with the province for US, CA
/// and AU). A field that is present is checked as in create. Nothing is stored.
///
/// The response is the order that would be stored, with `dryRun`. Its `id`, its `serviceOrderId` and
/// the ids of its items are null, as only storing gives them; what the body lacks is empty. The
/// same items and destination sent to create come to the same fees, unless a price changes in
/// between.
///
/// If no item names a `shipClass`, `shippingOptions` lists the classes that all items can be sent
/// in and that have a rate to the destination, cheapest first: `shipClass` of each item in create
/// then comes to that `shippingFee` and `totalCost`. A label order has none.
///
/// With an `order_id` that an order has already, the response is that of create: the order, with
/// `Already exists`, where the request is the same, otherwise 409.
#[utoipa::path(
    post,
    path = "/app/v1/orders/estimate",
    operation_id = "estimateOrder",
    tag = "orders",
    request_body(content = OrderRequest),
    responses((
        status = 200, description = "The order as it would be stored, and the ways to ship it.", body = OrderResponse<'_>,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` where the same request created the order before."
        ))
    ))
)]
#[tracing::instrument(name = "api.order.estimate", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<OrderRequest>,
) -> Result<HttpResponse, RequestError> {
    let Signed {
        store,
        draft,
        unknown,
    } = request;
    let quote = api.services.orders.estimate(&store, &draft).await;
    respond(quote.map(OrderResult::from), unknown, response::created)
}
