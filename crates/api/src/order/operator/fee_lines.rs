//! Add a fee line to an order.

use super::request::AddFeeLine;
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::order::response::{self, OrderResponse};
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Add a fee line
    ///
    /// Raises or lowers a fee of the order by a separate line, which remains whenever the order is
    /// priced again. A fee never falls below zero.
    operator "addFeeLine" at "/admin/v1/orders/fee-lines";
    tag "orders", span "api.operator.fee_lines";
    errors ITEM_COMMAND;
    request AddFeeLine;
    response OrderResponse: "The order as it now is.";
    example "A discount on shipping": "examples/fee_lines" request response;
}

async fn handle(call: ByOperator, request: Request<AddFeeLine>) -> Response {
    let orders = &call.api.services.orders;
    let (scope, by) = (call.scope(), call.by());
    let added = orders.correct_fees(scope, &request.draft, &by).await;
    call.note_store(&added);
    respond(added, request.unknown, response::updated_by_operator)
}
