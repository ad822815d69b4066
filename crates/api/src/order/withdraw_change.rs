//! Withdraw a change request.

use super::request::CommandBody;
use super::response::{self, OrderResponse};
use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Withdraw a change request
    ///
    /// Withdraws the change that waits for the print shop's decision. Its items return to their
    /// previous statuses. Items that the print shop has put on hold since then stay on hold.
    store "withdrawOrderChange" at "/app/v1/orders/withdraw-change";
    tag "orders", span "api.order.withdraw_change";
    errors ORDER_COMMAND;
    request CommandBody;
    response OrderResponse: "The order as it now is.",
        replayed: "`true` if nothing changed.";
    example "Withdraw a change request": "examples/withdraw_change" request;
}

async fn handle(call: Signed, request: Request<CommandBody>) -> Response {
    let caller = call.caller()?;
    let orders = &call.api.services.orders;
    let moved = orders
        .withdraw_change(&call.store, &request.draft, &caller)
        .await;
    respond(moved, request.unknown, response::moved)
}
