//! Get production: the progress of an order's items.

use super::request::GetProduction;
use super::response::{self, OrderResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Get production
    ///
    /// Returns the progress of an order's items, with the latest production records and their
    /// operators.
    operator "getProduction" at "/admin/v1/production/get";
    tag "production", span "api.production.get";
    errors [OrderNotFound];
    request GetProduction;
    response OrderResponse: "The items and the records.";
    example "Progress of an order": "examples/get" request response;
}

async fn handle(call: ByOperator, request: Request<GetProduction>) -> Response {
    let production = &call.api.services.production;
    let operator = &call.caller.operator;
    let found = production.of_order(operator, &request.draft).await;
    let found = found.inspect(|found| call.note_store_of(&found.order));
    respond(found, request.unknown, |found, unknown| {
        response::order(&found, production.steps(), unknown)
    })
}
