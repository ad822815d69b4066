//! Get order: an order of any store, as it is now, or an earlier state.

use super::response::{self, NotedResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::order::get::GetOrder;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Get an order
    ///
    /// Returns an order of any store as it is now, or as it was at the time `asOf` or at the
    /// version `atVersion`.
    operator "getOrder" at "/admin/v1/orders/get";
    tag "orders", span "api.operator.get";
    errors [OrderNotFound];
    request GetOrder;
    response NotedResponse: "The order with the notes about it.";
    example "As it is": "examples/get" request response;
}

async fn handle(call: ByOperator, request: Request<GetOrder>) -> Response {
    let notes = &call.api.services.notes;
    let found = notes.get(call.scope(), &request.draft).await;
    let found = found.inspect(|noted| call.note_store_of(&noted.order));
    respond(found, request.unknown, response::noted)
}
