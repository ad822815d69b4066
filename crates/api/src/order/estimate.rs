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
    /// order label, but only `line_items` and the country of the shipping address are required (for
    /// US, CA and AU also the province). Fields that are present are checked as in create.
    ///
    /// The response is the order as it would be stored, with `dryRun`. Its `id`, its
    /// `serviceOrderId` and the ids of its items are `null`, because an order gets them when it is
    /// stored; fields that the body lacks are empty. The shipping address has the keys of
    /// responses, even for a label order. A create with the same items and destination results in
    /// the same fees, unless a price changes in between.
    ///
    /// If no item has a `shipClass`, `shippingOptions` lists the shipping classes that all items
    /// can use and that have a rate for the destination, cheapest first. A create with this
    /// `shipClass` for each item results in the same `shippingFee` and `totalCost`. A label order
    /// has no shipping options.
    ///
    /// If an order with the `order_id` exists, the response is the same as for create: the order,
    /// with the `message` `Already exists`, if the request is the same, otherwise 409.
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
