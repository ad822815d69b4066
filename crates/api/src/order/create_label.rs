//! Create order label: an order that ships with a label from the store.

use pressline_domain::order::OrderKind;
use pressline_domain::store::SignatureForm;

use super::request::{self, OrderRequest};
use super::response::{self, OrderResponse};
use crate::caller::Access;
use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Create an order with a prepared shipping label
    ///
    /// Like create order, but you provide the shipping label, and the order costs a handling fee.
    /// `shippingAddress` in the response has the keys of the request's `shipping_address`.
    store "createOrderLabel" at "/app/v1/orders/create-label";
    tag "orders", span "api.order.create_label";
    with access: Access::Signed(SignatureForm::Plain), creates: true;
    errors [DuplicateOrderId];
    request OrderRequest, schema request::CREATE_LABEL;
    response OrderResponse: "The order as it is stored.",
        replayed: "`true` if an earlier call with the same request created the order.";
    example "A mug with a label": "examples/create_label" request response;
}

async fn handle(call: Signed, request: Request<OrderRequest>) -> Response {
    let orders = &call.api.services.orders;
    if request.draft.is_dry_run() {
        let run = orders
            .dry_run_create(&call.store, &request.draft, OrderKind::Label)
            .await;
        return respond(run, request.unknown, response::dry_run_of_create);
    }
    let caller = call.caller()?;
    let placed = orders
        .create_label(&call.store, &request.draft, &caller)
        .await;
    respond(placed, request.unknown, response::created)
}
