//! Record units of an item that were misprinted.

use super::request::RecordMisprint;
use super::response::{self, ProducedResponse};
use crate::intake::Request;
use crate::operation::operation;
use crate::operator::ByOperator;
use crate::response::{Response, respond};

operation! {
    /// Record a misprint
    ///
    /// Takes units that are not shipped back to the first step, and counts them: they must be done again at every step. Those that
    /// are done at the fewest steps are taken back first.
    operator "recordMisprint" at "/admin/v1/production/misprint";
    tag "production", span "api.production.misprint";
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
