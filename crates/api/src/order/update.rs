//! Update order: applies all changes of a request, or none.

use pressline_domain::check::field::Field;
use pressline_domain::order::request::UpdateDraft;
use pressline_domain::store::SignatureForm;
use serde::Deserialize;
use utoipa::ToSchema;

use super::request::{AddressBody, CustomerBody, LineItemChangeBody};
use super::response::{self, OrderResponse};
use crate::caller::Access;
use crate::caller::Signed;
use crate::json::{Lenient, Object, body};
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Update an order
    ///
    /// Applies all changes of the request, or none. Fees are computed again. Possible until
    /// production begins.
    store "updateOrder" at "/app/v1/orders/update";
    tag "orders", span "api.order.update";
    with access: Access::Signed(SignatureForm::Plain);
    errors ITEM_COMMAND [OrderNotEditable, ChangePending];
    request UpdateOrder;
    response OrderResponse: "The order as it now is.";
    example "Another address, another quantity": "examples/update" request response;
    example "One more item": "examples/update_one_more_item" request;
}

/// Changes to an order. Optional fields that are absent or `null` remain unchanged; an empty string
/// or object clears them.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct UpdateOrder {
    /// Your id of the order, or the service's order number, such as `SUN-12`.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// Replaces the whole shipping address. A store must always send it, except for a label order,
    /// which may clear it.
    #[schema(value_type = Option<AddressBody>)]
    shipping_address: Lenient<Object<AddressBody>>,
    /// Replaces the whole billing address.
    #[schema(value_type = Option<AddressBody>)]
    billing_address: Lenient<Object<AddressBody>>,
    /// Replaces the whole customer.
    #[schema(value_type = CustomerBody)]
    customer: Lenient<Object<CustomerBody>>,
    /// Items to change, add or remove. Other items remain unchanged.
    #[schema(value_type = Vec<LineItemChangeBody>, max_items = 100)]
    line_items: Lenient<Vec<Field<Object<LineItemChangeBody>>>>,
    /// Form of the response. Only `normal` exists; any other value is treated as `normal`, with a
    /// warning.
    #[schema(value_type = Option<String>, max_length = 255)]
    response_type: Lenient<String>,
    /// Replaces the note to production.
    #[schema(value_type = Option<String>, max_length = 2000)]
    production_note: Lenient<String>,
    /// Replaces your e-mail address.
    #[schema(value_type = Option<String>, format = "email", max_length = 255)]
    email: Lenient<String>,
    /// Expected version: the `version` that you have read. If the order has another version now,
    /// nothing is changed. Required to add an item.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
    /// Reason for the change, for the order's history.
    #[schema(value_type = Option<String>, max_length = 255)]
    reason: Lenient<String>,
    /// `true` checks and prices the changes without storing them, and returns the order as it would
    /// be.
    #[serde(rename = "dryRun")]
    #[schema(value_type = Option<bool>)]
    dry_run: Lenient<bool>,
}

body! {
    UpdateOrder => UpdateDraft {
        order_id, email, shipping_address: object("shipping_address"),
        billing_address: object("billing_address"), customer: object("customer"),
        line_items: list("line_items"), response_type, production_note, version, reason,
        dry_run,
    }
}

async fn handle(call: Signed, request: Request<UpdateOrder>) -> Response {
    let orders = &call.api.services.orders;
    let caller = call.caller()?;
    if request.draft.is_dry_run() {
        let run = orders
            .dry_run_update(&call.store, &request.draft, &caller)
            .await;
        return respond(run, request.unknown, response::dry_run_of_update);
    }
    let placed = orders.update(&call.store, &request.draft, &caller).await;
    respond(placed, request.unknown, response::updated)
}
