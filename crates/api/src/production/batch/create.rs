//! Create batch: items that are produced together.

use pressline_http::CallKind;

use super::request::CreateBatch;
use super::response::{self, BatchResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Create a batch
    ///
    /// Creates a batch of 1 to 500 items that are `ready` or `in-production`, and are in no other
    /// open batch; if one item is not eligible, no batch is created. The items remain unchanged
    /// until the batch is started.
    operator "createBatch" at "/admin/v1/batches/create";
    tag "batches", span "api.batch.create";
    with kind: CallKind::Large;
    errors [UnknownItem, IllegalTransition, ItemInBatch];
    request CreateBatch;
    response BatchResponse: "The batch.";
    example "A batch of one item": "examples/create" request response;
}

async fn handle(call: ByOperator, request: Request<CreateBatch>) -> Response {
    let production = &call.api.services.production;
    let (operator, by) = (&call.caller.operator, call.by());
    let created = production.create_batch(operator, &request.draft, &by).await;
    respond(created, request.unknown, |created, unknown| {
        response::batch(&created, false, production.steps(), unknown)
    })
}
