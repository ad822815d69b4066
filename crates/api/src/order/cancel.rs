//! Cancel an order.

use super::request::ItemsCommandBody;
use super::response::{self, OrderResponse};
use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Cancel an order
    ///
    /// Items that are not `ready` yet are cancelled immediately, free of charge. If an item is
    /// ready or in production, the whole call becomes a change request, which the print shop
    /// decides: the response then has `pendingChange`.
    store "cancelOrder" at "/app/v1/orders/cancel";
    tag "orders", span "api.order.cancel";
    errors ITEM_COMMAND [ChangePending];
    request ItemsCommandBody;
    response OrderResponse: "The order as it now is.",
        replayed: "`true` if nothing changed.";
    example "Cancel items": "examples/cancel" request;
}

async fn handle(call: Signed, request: Request<ItemsCommandBody>) -> Response {
    let caller = call.caller()?;
    let orders = &call.api.services.orders;
    let moved = orders.cancel(&call.store, &request.draft, &caller).await;
    respond(moved, request.unknown, response::moved)
}
