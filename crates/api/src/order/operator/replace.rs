//! Replace items of an order: produce them again with a new order.

use super::request::ReplaceOrder;
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::order::response::{self, OrderResponse};
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Replace items of an order
    ///
    /// Creates a new order that produces items of an order again. The new order has no change
    /// window, and is free unless `charge` is `true`. The fields `replaces` and `replacedBy` link
    /// both orders. A repeated call with the same `version` and content returns the order that the
    /// first call created.
    operator "replaceOrder" at "/admin/v1/orders/replace";
    tag "orders", span "api.operator.replace";
    errors ITEM_COMMAND [DuplicateOrderId];
    request ReplaceOrder;
    response OrderResponse: "The new order.",
        replayed: "`true` if an earlier call with the same request made the order.";
    example "One unit again, free": "examples/replace" request response;
}

async fn handle(call: ByOperator, request: Request<ReplaceOrder>) -> Response {
    let orders = &call.api.services.orders;
    let (scope, by) = (call.scope(), call.by());
    let replaced = orders.replace(scope, &request.draft, &by).await;
    call.note_store(&replaced);
    respond(replaced, request.unknown, response::created_by_operator)
}
