//! Answer the print shop.

use super::request::AnswerBody;
use super::response::{self, OrderResponse};
use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Answer the shop
    ///
    /// Answers the requests in `actionNeeded` for the items that wait for an answer. `accept`
    /// accepts or declines a fee. If you accept a fee, it is charged, and all items that wait for
    /// its approval return to their `returnsTo` status immediately. After any other answer, items
    /// wait until the print shop continues.
    store "answerOrder" at "/app/v1/orders/answer";
    tag "orders", span "api.order.answer";
    errors ITEM_COMMAND;
    request AnswerBody;
    response OrderResponse: "The order as it now is.",
        replayed: "`true` if nothing changed.";
    example "Answer what the print shop needs": "examples/answer" request;
}

async fn handle(call: Signed, request: Request<AnswerBody>) -> Response {
    let caller = call.caller()?;
    let orders = &call.api.services.orders;
    let moved = orders.answer(&call.store, &request.draft, &caller).await;
    respond(moved, request.unknown, response::moved)
}
