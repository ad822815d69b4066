//! Estimate order: fees and shipping options of a cart. Nothing is stored.

use super::request::{self, OrderRequest};
use super::response::{self, OrderResponse};
use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Estimate an order
    ///
    /// Prices a cart and stores nothing. The body has the same fields as in create order or create
    /// order label. Only `line_items` and the country of the shipping address are required; for US,
    /// CA and AU also the province. Fields that are present are checked as in create order.
    ///
    /// The response is the order as it would be stored, with `dryRun`. Its `id`, its
    /// `serviceOrderId` and the ids of its items are `null`, because only a stored order has them.
    /// Fields that the body lacks are empty. The shipping address has the same keys as in most
    /// responses, even for a label order. If you create the order with the same items and
    /// destination, its fees are the same, unless a price changes in between.
    ///
    /// If no item has a `shipClass`, `shippingOptions` lists shipping classes for the whole order,
    /// cheapest first: all items can use them, and they have a rate for the destination. If you
    /// create the order with a listed class as the `shipClass` of each item, it gets this
    /// `shippingFee` and `totalCost`. A label order has no shipping options.
    ///
    /// If an order with the `order_id` exists, the response is the same as from create order: the
    /// existing order, with the `message` `Already exists`, if the request is the same, otherwise
    /// 409.
    store "estimateOrder" at "/app/v1/orders/estimate";
    tag "orders", span "api.order.estimate";
    errors [DuplicateOrderId];
    request OrderRequest, schema request::ESTIMATE;
    response OrderResponse: "The order as it would be stored, and the ways to ship it.",
        replayed: "`true` if an earlier call with the same request created the order.";
    example "A shirt and a mug to the United States": "examples/estimate" request response;
    example "A cart to France": "examples/estimate_a_cart_to_france" request;
    example "A mug with a label": "examples/estimate_a_mug_with_a_label" request;
}

async fn handle(call: Signed, request: Request<OrderRequest>) -> Response {
    let orders = &call.api.services.orders;
    let run = orders.estimate(&call.store, &request.draft).await;
    respond(run, request.unknown, response::estimate)
}
