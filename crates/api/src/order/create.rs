//! Create order: an order that the service ships.

use pressline_domain::order::OrderKind;
use pressline_domain::store::SignatureForm;

use super::request::{self, OrderRequest, UnlabelledOrderRequest};
use super::response::{self, OrderResponse};
use crate::caller::Access;
use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Create an order
    ///
    /// Prices the order and stores it. If the same request is repeated, the response is the stored
    /// order with the `message` `Already exists`; a different request with the same `order_id` is
    /// refused.
    store "createOrder" at "/app/v1/orders/create";
    tag "orders", span "api.order.create";
    with access: Access::Signed(SignatureForm::Plain), creates: true;
    errors [DuplicateOrderId];
    request UnlabelledOrderRequest as OrderRequest, schema request::CREATE;
    response OrderResponse: "The order as it is stored.",
        replayed: "`true` if an earlier call with the same request created the order.";
    example "A shirt to the United States": "examples/create" request response;
    example "As little as possible, to Germany": "examples/create_as_little_as_possible_to_germany" request;
}

async fn handle(call: Signed, request: Request<UnlabelledOrderRequest>) -> Response {
    let orders = &call.api.services.orders;
    if request.draft.is_dry_run() {
        let run = orders
            .dry_run_create(&call.store, &request.draft, OrderKind::Manual)
            .await;
        return respond(run, request.unknown, response::dry_run_of_create);
    }
    let caller = call.caller()?;
    let placed = orders.create(&call.store, &request.draft, &caller).await;
    respond(placed, request.unknown, response::created)
}
