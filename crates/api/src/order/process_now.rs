//! Process an order now.

use super::request::CommandBody;
use super::response::{self, OrderResponse};
use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Process an order now
    ///
    /// Ends the window in which you can change the order, so that production can begin. All items
    /// must have their files.
    store "processOrderNow" at "/app/v1/orders/process-now";
    tag "orders", span "api.order.process_now";
    errors ORDER_COMMAND;
    request CommandBody;
    response OrderResponse: "The order as it now is.",
        replayed: "`true` if nothing changed.";
    example "Make an order ready": "examples/process_now" request;
}

async fn handle(call: Signed, request: Request<CommandBody>) -> Response {
    let caller = call.caller()?;
    let orders = &call.api.services.orders;
    let moved = orders
        .process_now(&call.store, &request.draft, &caller)
        .await;
    respond(moved, request.unknown, response::moved)
}
