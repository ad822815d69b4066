//! Release an order.

use super::request::ItemsCommandBody;
use super::response::{self, OrderResponse};
use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Release an order
    ///
    /// Ends your own holds; holds of the print shop remain. An item becomes `ready` immediately if
    /// its change window has ended meanwhile.
    store "releaseOrder" at "/app/v1/orders/release";
    tag "orders", span "api.order.release";
    errors ITEM_COMMAND;
    request ItemsCommandBody;
    response OrderResponse: "The order as it now is.",
        replayed: "`true` if nothing changed.";
    example "Release items": "examples/release" request;
}

async fn handle(call: Signed, request: Request<ItemsCommandBody>) -> Response {
    let caller = call.caller()?;
    let orders = &call.api.services.orders;
    let moved = orders.release(&call.store, &request.draft, &caller).await;
    respond(moved, request.unknown, response::moved)
}
