//! Update order: applies all changes of a request, or none.

use pressline_domain::store::SignatureForm;

use super::request::UpdateOrder;
use super::response::{self, OrderResponse};
use crate::caller::{Access, Signed};
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Update an order
    ///
    /// Applies all changes of the request, or none, and computes the fees again. If a change
    /// concerns an item that is ready or in production, the whole update becomes a change request,
    /// which the print shop decides: the response then has `pendingChange`.
    store "updateOrder" at "/app/v1/orders/update";
    tag "orders", span "api.order.update";
    with access: Access::Signed(SignatureForm::Plain);
    errors ITEM_COMMAND [OrderNotEditable, ChangePending];
    request UpdateOrder;
    response OrderResponse: "The order as it now is.";
    example "Another address, another quantity": "examples/update" request response;
    example "One more item": "examples/update_one_more_item" request;
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
