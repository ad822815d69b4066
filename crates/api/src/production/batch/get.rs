//! Get batch: the batch with the current state of its items.

use pressline_http::CallKind;

use super::request::BatchName;
use super::response::{self, BatchResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Get a batch
    ///
    /// Returns a batch with its items as they are now. It still lists items that are no longer
    /// produced, such as held or cancelled items; their `takenOut` has the reason. Operators with
    /// access to only some stores find only batches without items of other stores.
    operator "getBatch" at "/admin/v1/batches/get";
    tag "batches", span "api.batch.get";
    with kind: CallKind::Large;
    errors [BatchNotFound];
    request BatchName;
    response BatchResponse: "The batch.";
    example "By its number": "examples/get" request response;
}

async fn handle(call: ByOperator, request: Request<BatchName>) -> Response {
    let production = &call.api.services.production;
    let found = production
        .get_batch(&call.caller.operator, &request.draft)
        .await;
    respond(found, request.unknown, |found, unknown| {
        response::batch(&found, false, production.steps(), unknown)
    })
}
