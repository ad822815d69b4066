//! Move orders: one command for many orders.

use super::request::MoveOrders;
use super::response::{self, MovedResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::single::ListOf;
use crate::response::{Response, respond};
use pressline_http::CallKind;

operation! {
    /// Move orders
    ///
    /// Applies one command to 1 to 500 orders. Each order is moved independently: the response has
    /// a result for each order, in the order of the request, and a refusal does not affect other
    /// orders. In a repeated call, orders that were already moved are `unchanged`. The response is
    /// 503 if the database was unavailable for every order.
    operator "moveOrders" at "/admin/v1/orders/move";
    tag "orders", span "api.operator.move";
    with kind: CallKind::Large;
    request MoveOrders;
    response MovedList: "What became of each order.";
    example "Hold orders": "examples/move" request response;
}

type MovedList = ListOf<MovedResponse>;

async fn handle(call: ByOperator, request: Request<MoveOrders>) -> Response {
    let orders = &call.api.services.orders;
    let (scope, by) = (call.scope(), call.by());
    let moved = orders.move_orders(scope, &request.draft, &by).await;
    respond(moved, request.unknown, response::moved)
}
