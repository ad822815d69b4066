//! Hold an order.

use super::request::HoldBody;
use super::response::{self, OrderResponse};
use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Hold an order
    ///
    /// Items that are not `ready` yet are held immediately. If an item is ready or in production,
    /// the whole call becomes a change request, which the print shop decides. A hold does not
    /// extend the window in which you can change the order. For items that you already hold,
    /// `until` immediately changes the end of the hold.
    store "holdOrder" at "/app/v1/orders/hold";
    tag "orders", span "api.order.hold";
    errors ITEM_COMMAND [ChangePending];
    request HoldBody;
    response OrderResponse: "The order as it now is.",
        replayed: "`true` if nothing changed.";
    example "Put items on hold": "examples/hold" request;
}

async fn handle(call: Signed, request: Request<HoldBody>) -> Response {
    let caller = call.caller()?;
    let orders = &call.api.services.orders;
    let moved = orders.hold(&call.store, &request.draft, &caller).await;
    respond(moved, request.unknown, response::moved)
}
