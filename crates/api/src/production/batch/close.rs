//! Close batch, so that its items can be in other batches.

use pressline_http::CallKind;

use super::request::BatchName;
use super::response::{self, BatchResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Close a batch
    ///
    /// Closes a batch, whatever the status of its items. Afterwards, the items can be added to
    /// other batches.
    operator "closeBatch" at "/admin/v1/batches/close";
    tag "batches", span "api.batch.close";
    with kind: CallKind::Large;
    errors [BatchNotFound];
    request BatchName;
    response BatchResponse: "The batch.";
    example "By its number": "examples/close" request response;
}

async fn handle(call: ByOperator, request: Request<BatchName>) -> Response {
    let production = &call.api.services.production;
    let closed = production
        .close_batch(&call.caller.operator, &request.draft)
        .await;
    respond(closed, request.unknown, |(closed, replayed), unknown| {
        response::batch(&closed, replayed, production.steps(), unknown)
    })
}
