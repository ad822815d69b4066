//! Operations on batches.

use pressline_http::CallKind;

use super::request::{BatchName, CreateBatch, SearchBatches};
use super::response::{self, BatchResponse, BatchesPage, StartedResponse};
use crate::caller::ByOperator;
use crate::operation::operations;
use crate::request::Request;
use crate::response::{Response, respond};

operations! {
    const OPERATIONS;

    /// Create a batch
    ///
    /// Creates a batch of 1 to 500 items that are `ready` or `in-production`, and are in no other
    /// open batch; if one item is not eligible, no batch is created. The items remain unchanged
    /// until the batch is started.
    operator "createBatch" at "/admin/v1/batches/create";
    tag "batches", span "api.batch.create", handler create;
    with kind: CallKind::Large;
    errors [UnknownItem, IllegalTransition, ItemInBatch];
    request CreateBatch;
    response BatchResponse: "The batch.";
    example "A batch of one item": "examples/create" request response;

    /// Get a batch
    ///
    /// Returns a batch with its items as they are now. It still lists items that are no longer
    /// produced, such as held or cancelled items; their `takenOut` has the reason. Operators with
    /// access to only some stores find only batches without items of other stores.
    operator "getBatch" at "/admin/v1/batches/get";
    tag "batches", span "api.batch.get", handler get;
    with kind: CallKind::Large;
    errors [BatchNotFound];
    request BatchName;
    response BatchResponse: "The batch.";
    example "By its number": "examples/get" request response;

    /// Search batches
    ///
    /// Returns a page of batches, newest first, without their items.
    operator "searchBatches" at "/admin/v1/batches/search";
    tag "batches", span "api.batch.search", handler search;
    with kind: CallKind::Search;
    request SearchBatches;
    response BatchesPage: "A page of batches.";
    example "Open batches": "examples/search" request response;

    /// Start a batch
    ///
    /// Starts the items of a batch that are `ready`. Each order is moved independently, and has a
    /// result as in `orders/move`; a refusal does not affect other orders. A repeated call starts
    /// items that have become `ready` since the previous call.
    operator "startBatch" at "/admin/v1/batches/start";
    tag "batches", span "api.batch.start", handler start;
    with kind: CallKind::Large;
    errors [BatchNotFound, BatchClosed];
    request BatchName;
    response StartedResponse: "The batch, and what became of each order.";
    example "By its number": "examples/start" request response;

    /// Close a batch
    ///
    /// Closes a batch, whatever the status of its items. Afterwards, the items can be added to
    /// other batches.
    operator "closeBatch" at "/admin/v1/batches/close";
    tag "batches", span "api.batch.close", handler close;
    with kind: CallKind::Large;
    errors [BatchNotFound];
    request BatchName;
    response BatchResponse: "The batch.";
    example "By its number": "examples/close" request response;
}

async fn create(call: ByOperator, request: Request<CreateBatch>) -> Response {
    let production = &call.api.services.production;
    let (operator, by) = (&call.caller.operator, call.by());
    let created = production.create_batch(operator, &request.draft, &by).await;
    respond(created, request.unknown, |created, unknown| {
        response::batch(&created, false, production.steps(), unknown)
    })
}

async fn get(call: ByOperator, request: Request<BatchName>) -> Response {
    let production = &call.api.services.production;
    let found = production
        .get_batch(&call.caller.operator, &request.draft)
        .await;
    respond(found, request.unknown, |found, unknown| {
        response::batch(&found, false, production.steps(), unknown)
    })
}

async fn search(call: ByOperator, request: Request<SearchBatches>) -> Response {
    let production = &call.api.services.production;
    let operator = &call.caller.operator;
    let found = production.search_batches(operator, &request.draft).await;
    respond(found, request.unknown, |found, unknown| {
        response::page(&found, unknown)
    })
}

async fn start(call: ByOperator, request: Request<BatchName>) -> Response {
    let production = &call.api.services.production;
    let (operator, by) = (&call.caller.operator, call.by());
    let started = production.start_batch(operator, &request.draft, &by).await;
    respond(started, request.unknown, |started, unknown| {
        response::started(started, production.steps(), unknown)
    })
}

async fn close(call: ByOperator, request: Request<BatchName>) -> Response {
    let production = &call.api.services.production;
    let closed = production
        .close_batch(&call.caller.operator, &request.draft)
        .await;
    respond(closed, request.unknown, |(closed, replayed), unknown| {
        response::batch(&closed, replayed, production.steps(), unknown)
    })
}
