//! Record units of an item that are done at a step.

use super::request::RecordProduction;
use super::response::{self, ProducedResponse};
use crate::intake::Request;
use crate::operation::operation;
use crate::operator::ByOperator;
use crate::response::{Response, respond};

operation! {
    /// Record production
    ///
    /// Records units of an item that are done at a step. An item that is `ready` is started. No step can have more units than the
    /// one before it. A repeated call finds nothing to record, and is unchanged: one without `units` if the step has done what
    /// had come to it, one with `units` if all units are done, and any with the `once` of an earlier one.
    operator "recordProduction" at "/admin/v1/production/record";
    tag "production", span "api.production.record";
    request RecordProduction;
    response ProducedResponse: "The item as it now is.";
    example "All units that wait at the step": "examples/record" request response;
}

async fn handle(call: ByOperator, request: Request<RecordProduction>) -> Response {
    let production = &call.api.services.production;
    let (operator, by) = (&call.caller.operator, call.by());
    let recorded = production.record(operator, &request.draft, &by).await;
    let recorded = recorded.inspect(|done| call.note_store_id(done.item.place.store));
    respond(recorded, request.unknown, |recorded, unknown| {
        response::recorded(recorded, production.steps(), unknown)
    })
}
