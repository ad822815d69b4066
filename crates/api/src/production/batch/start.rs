//! Start batch: begin the production of its items.

use pressline_http::CallKind;

use super::request::BatchName;
use super::response::{self, StartedResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Start a batch
    ///
    /// Starts the items of a batch that are `ready`. Each order is moved independently, and has a
    /// result as in `orders/move`; a refusal does not affect other orders. A repeated call starts
    /// items that have become `ready` since the previous call.
    operator "startBatch" at "/admin/v1/batches/start";
    tag "batches", span "api.batch.start";
    with kind: CallKind::Large;
    errors [BatchNotFound, BatchClosed];
    request BatchName;
    response StartedResponse: "The batch, and what became of each order.";
    example "By its number": "examples/start" request response;
}

async fn handle(call: ByOperator, request: Request<BatchName>) -> Response {
    let production = &call.api.services.production;
    let (operator, by) = (&call.caller.operator, call.by());
    let started = production.start_batch(operator, &request.draft, &by).await;
    respond(started, request.unknown, |started, unknown| {
        response::started(started, production.steps(), unknown)
    })
}
