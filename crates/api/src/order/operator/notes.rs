//! Add a note about an order.

use super::request::AddNote;
use super::response::{self, NotedResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Add a note
    ///
    /// Adds a note about the order, which only operators see. The order and its `version` remain
    /// unchanged.
    operator "addNote" at "/admin/v1/orders/notes";
    tag "orders", span "api.operator.notes";
    errors [OrderNotFound];
    request AddNote;
    response NotedResponse: "The order with all notes about it.";
    example "A note": "examples/notes" request response;
}

async fn handle(call: ByOperator, request: Request<AddNote>) -> Response {
    let notes = &call.api.services.notes;
    let (scope, operator) = (call.scope(), &call.caller.operator);
    let added = notes.add(scope, &request.draft, operator).await;
    let added = added.inspect(|noted| call.note_store_of(&noted.order));
    respond(added, request.unknown, response::noted)
}
