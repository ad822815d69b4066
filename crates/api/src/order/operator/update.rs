//! Update order: changes an order on behalf of its store.

use crate::caller::ByOperator;
use crate::operation::operation;
use crate::order::request::UpdateOrder;
use crate::order::response::{self, OrderResponse};
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Update an order
    ///
    /// Applies all changes of the request, or none, on behalf of the store. Changes of items that
    /// are already fulfilled or cancelled are refused. Fees are computed again. Absent fields
    /// remain unchanged.
    operator "updateOrder" at "/admin/v1/orders/update";
    tag "orders", span "api.operator.update";
    errors ITEM_COMMAND [OrderNotEditable, ChangePending];
    request UpdateOrder;
    response OrderResponse: "The order as it now is.";
    example "Another quantity": "examples/update" request response;
}

async fn handle(call: ByOperator, request: Request<UpdateOrder>) -> Response {
    let orders = &call.api.services.orders;
    let (scope, by) = (call.scope(), call.by());
    if request.draft.is_dry_run() {
        let run = orders.dry_run_update(scope, &request.draft, &by).await;
        return respond(run, request.unknown, response::dry_run_for_operator);
    }
    let updated = orders.update(scope, &request.draft, &by).await;
    call.note_store(&updated);
    respond(updated, request.unknown, response::updated_by_operator)
}
