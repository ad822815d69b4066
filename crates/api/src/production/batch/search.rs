//! Search batches, newest first.

use pressline_http::CallKind;

use super::request::SearchBatches;
use super::response::{self, BatchesPage};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Search batches
    ///
    /// Returns a page of batches, newest first, without their items.
    operator "searchBatches" at "/admin/v1/batches/search";
    tag "batches", span "api.batch.search";
    with kind: CallKind::Search;
    request SearchBatches;
    response BatchesPage: "A page of batches.";
    example "Open batches": "examples/search" request response;
}

async fn handle(call: ByOperator, request: Request<SearchBatches>) -> Response {
    let production = &call.api.services.production;
    let operator = &call.caller.operator;
    let found = production.search_batches(operator, &request.draft).await;
    respond(found, request.unknown, |found, unknown| {
        response::page(&found, unknown)
    })
}
