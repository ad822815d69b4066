//! Record misprinted units of an item.

use super::request::RecordMisprint;
use super::response::{self, ProducedResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Record a misprint
    ///
    /// Moves unshipped units back to the first step, and counts them as misprints: they must be
    /// done again at every step. Units with the fewest finished steps are moved back first.
    operator "recordMisprint" at "/admin/v1/production/misprint";
    tag "production", span "api.production.misprint";
    errors [UnknownItem, OrderNotFound, IllegalTransition, StepOutOfOrder];
    request RecordMisprint;
    response ProducedResponse: "The item as it now is.";
    example "One unit": "examples/misprint" request response;
}

async fn handle(call: ByOperator, request: Request<RecordMisprint>) -> Response {
    let production = &call.api.services.production;
    let (operator, by) = (&call.caller.operator, call.by());
    let recorded = production.misprint(operator, &request.draft, &by).await;
    let recorded = recorded.inspect(|done| call.note_store_id(done.item.place.store));
    respond(recorded, request.unknown, |recorded, unknown| {
        response::recorded(recorded, production.steps(), unknown)
    })
}
