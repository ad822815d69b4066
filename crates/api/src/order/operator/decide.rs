//! Decide a change that a store has requested.

use super::request::DecideChange;
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::order::response::{self, OrderResponse};
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Decide a pending change
    ///
    /// Approves or refuses the change that the store has requested, or asks the store a question
    /// about it. An approved change is applied to the order as it is now. If an item can no longer
    /// be changed in this way, the call is refused, and the change stays pending.
    operator "decideChange" at "/admin/v1/orders/decide";
    tag "orders", span "api.operator.decide";
    errors ORDER_COMMAND [OrderNotEditable];
    request DecideChange;
    response OrderResponse: "The order as it now is.";
    example "Refuse": "examples/decide" request response;
}

async fn handle(call: ByOperator, request: Request<DecideChange>) -> Response {
    let orders = &call.api.services.orders;
    let (scope, by) = (call.scope(), call.by());
    if request.draft.is_dry_run() {
        let run = orders.dry_run_decide(scope, &request.draft, &by).await;
        return respond(run, request.unknown, response::dry_run_for_operator);
    }
    let decided = orders.decide_change(scope, &request.draft, &by).await;
    call.note_store(&decided);
    respond(decided, request.unknown, response::updated_by_operator)
}
