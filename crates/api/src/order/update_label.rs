//! Update the label of an order.

use pressline_domain::order::request::LabelDraft;
use serde::Deserialize;
use utoipa::ToSchema;

use super::response::{self, OrderResponse};
use crate::caller::Signed;
use crate::json::{Lenient, body};
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Update the label of an order
    ///
    /// Replaces the label of a label order. If an item is ready or in production, the call becomes
    /// a change request, which the print shop decides; otherwise, it takes effect immediately.
    store "updateOrderLabel" at "/app/v1/orders/update-label";
    tag "orders", span "api.order.update_label";
    errors ORDER_COMMAND [OrderNotEditable, ChangePending];
    request UpdateOrderLabel;
    response OrderResponse: "The order as it now is.";
    example "Another label": "examples/update_label" request;
}

/// Replacement of an order's label.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct UpdateOrderLabel {
    /// Your id of the order, or the service's order number, such as `SUN-12`.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// URL of the new label, with `http` or `https`.
    #[schema(value_type = String, format = "uri", max_length = 2048)]
    shipping_address_label: Lenient<String>,
    /// Expected version: the `version` that you have read. If the order has another version now,
    /// nothing is changed.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
    /// Reason for the change, for the order's history.
    #[schema(value_type = Option<String>, max_length = 255)]
    reason: Lenient<String>,
}

body! {
    UpdateOrderLabel => LabelDraft {
        order_id, version, reason, shipping_address_label,
    }
}

async fn handle(call: Signed, request: Request<UpdateOrderLabel>) -> Response {
    let caller = call.caller()?;
    let orders = &call.api.services.orders;
    let updated = orders
        .update_label(&call.store, &request.draft, &caller)
        .await;
    respond(updated, request.unknown, response::updated)
}
