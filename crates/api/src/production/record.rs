//! Record finished units of an item at a step.

use super::request::RecordProduction;
use super::response::{self, ProducedResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Record production
    ///
    /// Records that units of an item are done at a step. An item that is `ready` is started. No
    /// step can have more done units than the previous step.
    ///
    /// A repeated call changes nothing. A call counts as repeated if it has the same `once` as an
    /// earlier call for the item, or if all units are done at the step. Without `units`, it also
    /// counts as repeated if no units wait at the step and some are done.
    operator "recordProduction" at "/admin/v1/production/record";
    tag "production", span "api.production.record";
    errors [UnknownItem, OrderNotFound, IllegalTransition, StepOutOfOrder];
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
