//! Stores' commands for an order.

use super::request::{AnswerBody, CommandBody, HoldBody, ItemsCommandBody};
use super::response::{self, OrderResponse};
use crate::caller::Signed;
use crate::operation::operations;
use crate::request::Request;
use crate::response::{Response, respond};

operations! {
    const OPERATIONS;

    /// Cancel an order
    ///
    /// Items that are not `ready` yet are cancelled immediately, free of charge. If an item is
    /// ready or in production, the whole call becomes a change request, which the print shop
    /// decides: the response then has `pendingChange`.
    store "cancelOrder" at "/app/v1/orders/cancel";
    tag "orders", span "api.order.cancel", handler cancel;
    errors ITEM_COMMAND [ChangePending];
    request ItemsCommandBody;
    response OrderResponse: "The order as it now is.",
        replayed: "`true` if nothing changed.";
    example "Cancel items": "examples/cancel" request;

    /// Hold an order
    ///
    /// Items that are not `ready` yet are held immediately. If an item is ready or in production,
    /// the whole call becomes a change request, which the print shop decides. A hold does not
    /// extend the window in which you can change the order. For items that you already hold,
    /// `until` immediately changes the end of the hold.
    store "holdOrder" at "/app/v1/orders/hold";
    tag "orders", span "api.order.hold", handler hold;
    errors ITEM_COMMAND [ChangePending];
    request HoldBody;
    response OrderResponse: "The order as it now is.",
        replayed: "`true` if nothing changed.";
    example "Put items on hold": "examples/hold" request;

    /// Release an order
    ///
    /// Ends your own holds; holds of the print shop remain. An item becomes `ready` immediately if
    /// its change window has ended meanwhile.
    store "releaseOrder" at "/app/v1/orders/release";
    tag "orders", span "api.order.release", handler release;
    errors ITEM_COMMAND;
    request ItemsCommandBody;
    response OrderResponse: "The order as it now is.",
        replayed: "`true` if nothing changed.";
    example "Release items": "examples/release" request;

    /// Process an order now
    ///
    /// Ends the window in which you can change the order, so that production can begin. All items
    /// must have their files.
    store "processOrderNow" at "/app/v1/orders/process-now";
    tag "orders", span "api.order.process_now", handler process_now;
    errors ORDER_COMMAND;
    request CommandBody;
    response OrderResponse: "The order as it now is.",
        replayed: "`true` if nothing changed.";
    example "Make an order ready": "examples/process_now" request;

    /// Withdraw a change request
    ///
    /// Withdraws the change that waits for the print shop's decision. Its items return to their
    /// previous statuses. Items that the print shop has put on hold since then stay on hold.
    store "withdrawOrderChange" at "/app/v1/orders/withdraw-change";
    tag "orders", span "api.order.withdraw_change", handler withdraw_change;
    errors ORDER_COMMAND;
    request CommandBody;
    response OrderResponse: "The order as it now is.",
        replayed: "`true` if nothing changed.";
    example "Withdraw a change request": "examples/withdraw_change" request;

    /// Answer the shop
    ///
    /// Answers the requests in `actionNeeded` for the items that wait for an answer. `accept`
    /// accepts or declines a fee. If you accept a fee, it is charged, and all items that wait for
    /// its approval return to their `returnsTo` status immediately. After any other answer, items
    /// wait until the print shop continues.
    store "answerOrder" at "/app/v1/orders/answer";
    tag "orders", span "api.order.answer", handler answer;
    errors ITEM_COMMAND;
    request AnswerBody;
    response OrderResponse: "The order as it now is.",
        replayed: "`true` if nothing changed.";
    example "Answer what the print shop needs": "examples/answer" request;
}

async fn cancel(call: Signed, request: Request<ItemsCommandBody>) -> Response {
    let caller = call.caller()?;
    let orders = &call.api.services.orders;
    let moved = orders
        .moves
        .cancel(&call.store, &request.draft, &caller)
        .await;
    respond(moved, request.unknown, response::moved)
}

async fn hold(call: Signed, request: Request<HoldBody>) -> Response {
    let caller = call.caller()?;
    let orders = &call.api.services.orders;
    let moved = orders
        .moves
        .hold(&call.store, &request.draft, &caller)
        .await;
    respond(moved, request.unknown, response::moved)
}

async fn release(call: Signed, request: Request<ItemsCommandBody>) -> Response {
    let caller = call.caller()?;
    let orders = &call.api.services.orders;
    let moved = orders
        .moves
        .release(&call.store, &request.draft, &caller)
        .await;
    respond(moved, request.unknown, response::moved)
}

async fn process_now(call: Signed, request: Request<CommandBody>) -> Response {
    let caller = call.caller()?;
    let orders = &call.api.services.orders;
    let moved = orders
        .moves
        .process_now(&call.store, &request.draft, &caller)
        .await;
    respond(moved, request.unknown, response::moved)
}

async fn withdraw_change(call: Signed, request: Request<CommandBody>) -> Response {
    let caller = call.caller()?;
    let orders = &call.api.services.orders;
    let moved = orders
        .change
        .withdraw_change(&call.store, &request.draft, &caller)
        .await;
    respond(moved, request.unknown, response::moved)
}

async fn answer(call: Signed, request: Request<AnswerBody>) -> Response {
    let caller = call.caller()?;
    let orders = &call.api.services.orders;
    let moved = orders
        .change
        .answer(&call.store, &request.draft, &caller)
        .await;
    respond(moved, request.unknown, response::moved)
}
