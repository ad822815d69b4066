//! Stores' operations with the values of an order: create, estimate and update.

use pressline_domain::order::OrderKind;
use pressline_domain::order::request::LabelDraft;
use pressline_domain::store::SignatureForm;

use super::request::{self, OrderRequest, UpdateOrder};
use super::response::{self, OrderResponse};
use crate::caller::{Access, Signed};
use crate::json::bodies;
use crate::operation::operations;
use crate::request::Request;
use crate::response::{Response, respond};

operations! {
    const OPERATIONS;

    /// Create an order
    ///
    /// Prices the order and stores it. If the same request is repeated, the response is the stored
    /// order with the `message` `Already exists`; a different request with the same `order_id` is
    /// refused.
    store "createOrder" at "/app/v1/orders/create";
    tag "orders", span "api.order.create", handler create;
    with access: Access::Signed(SignatureForm::Plain), creates: true;
    errors [DuplicateOrderId];
    request OrderRequest, without request::LABEL, schema request::CREATE;
    response OrderResponse: "The order as it is stored.",
        replayed: "`true` if an earlier call with the same request created the order.";
    example "A shirt to the United States": "examples/create" request response;
    example "As little as possible, to Germany": "examples/create_as_little_as_possible_to_germany" request;

    /// Create an order with a prepared shipping label
    ///
    /// Like create order, but you provide the shipping label, and the order costs a handling fee.
    /// `shippingAddress` in the response has the keys of the request's `shipping_address`.
    store "createOrderLabel" at "/app/v1/orders/create-label";
    tag "orders", span "api.order.create_label", handler create_label;
    with access: Access::Signed(SignatureForm::Plain), creates: true;
    errors [DuplicateOrderId];
    request OrderRequest, schema request::CREATE_LABEL;
    response OrderResponse: "The order as it is stored.",
        replayed: "`true` if an earlier call with the same request created the order.";
    example "A mug with a label": "examples/create_label" request response;

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
    tag "orders", span "api.order.estimate", handler estimate;
    errors [DuplicateOrderId];
    request OrderRequest, schema request::ESTIMATE;
    response OrderResponse: "The order as it would be stored, and the ways to ship it.",
        replayed: "`true` if an earlier call with the same request created the order.";
    example "A shirt and a mug to the United States": "examples/estimate" request response;
    example "A cart to France": "examples/estimate_a_cart_to_france" request;
    example "A mug with a label": "examples/estimate_a_mug_with_a_label" request;
    example "An address with warnings: a lost zero and an unusual e-mail address": "examples/estimate_an_address_with_warnings" request;

    /// Update an order
    ///
    /// Applies all changes of the request, or none, and computes the fees again. If a change
    /// concerns an item that is ready or in production, the whole update becomes a change request,
    /// which the print shop decides: the response then has `pendingChange`.
    store "updateOrder" at "/app/v1/orders/update";
    tag "orders", span "api.order.update", handler update;
    with access: Access::Signed(SignatureForm::Plain);
    errors ITEM_COMMAND [OrderNotEditable, ChangePending];
    request UpdateOrder;
    response OrderResponse: "The order as it now is.";
    example "Another address, another quantity": "examples/update" request response;
    example "One more item": "examples/update_one_more_item" request;

    /// Update the label of an order
    ///
    /// Replaces the label of a label order. If an item is ready or in production, the call becomes
    /// a change request, which the print shop decides; otherwise, it takes effect immediately.
    store "updateOrderLabel" at "/app/v1/orders/update-label";
    tag "orders", span "api.order.update_label", handler update_label;
    errors ORDER_COMMAND [OrderNotEditable, ChangePending];
    request UpdateOrderLabel;
    response OrderResponse: "The order as it now is.";
    example "Another label": "examples/update_label" request;
}

async fn create(call: Signed, request: Request<OrderRequest>) -> Response {
    let orders = &call.api.services.orders;
    if request.draft.is_dry_run() {
        let run = orders
            .place
            .dry_run_create(&call.store, &request.draft, OrderKind::Manual)
            .await;
        return respond(run, request.unknown, response::dry_run_of_create);
    }
    let caller = call.caller()?;
    let placed = orders
        .place
        .create(&call.store, &request.draft, &caller)
        .await;
    respond(placed, request.unknown, response::created)
}

async fn create_label(call: Signed, request: Request<OrderRequest>) -> Response {
    let orders = &call.api.services.orders;
    if request.draft.is_dry_run() {
        let run = orders
            .place
            .dry_run_create(&call.store, &request.draft, OrderKind::Label)
            .await;
        return respond(run, request.unknown, response::dry_run_of_create);
    }
    let caller = call.caller()?;
    let placed = orders
        .place
        .create_label(&call.store, &request.draft, &caller)
        .await;
    respond(placed, request.unknown, response::created)
}

async fn estimate(call: Signed, request: Request<OrderRequest>) -> Response {
    let orders = &call.api.services.orders;
    let run = orders.place.estimate(&call.store, &request.draft).await;
    respond(run, request.unknown, response::estimate)
}

async fn update(call: Signed, request: Request<UpdateOrder>) -> Response {
    let orders = &call.api.services.orders;
    let caller = call.caller()?;
    if request.draft.is_dry_run() {
        let run = orders
            .change
            .dry_run_update(&call.store, &request.draft, &caller)
            .await;
        return respond(run, request.unknown, response::dry_run_of_update);
    }
    let placed = orders
        .change
        .update(&call.store, &request.draft, &caller)
        .await;
    respond(placed, request.unknown, response::updated)
}

async fn update_label(call: Signed, request: Request<UpdateOrderLabel>) -> Response {
    let caller = call.caller()?;
    let orders = &call.api.services.orders;
    let updated = orders
        .change
        .update_label(&call.store, &request.draft, &caller)
        .await;
    respond(updated, request.unknown, response::updated)
}

bodies! {
    /// Replacement of an order's label.
    pub(crate) struct UpdateOrderLabel {
        /// Your id of the order, the service's order number, such as `SUN-12`, or its `id`.
        order_id: String [pattern = r"\S", max_length = 128],
        /// URL of the new label, with `http` or `https`.
        shipping_address_label: String [format = "uri", max_length = 2048],
        /// Expected version: the `version` that you have read. If the order has another version
        /// now, nothing is changed.
        version: Option<i64> [minimum = 1, maximum = 4_294_967_295u32],
        /// Reason for the change, for the order's history.
        reason: Option<String> [max_length = 255],
    }
    draft LabelDraft
}
