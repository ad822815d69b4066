//! Move an order as the print shop and carriers would.

use pressline_backoffice::sandbox::PlayDraft;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::caller::Signed;
use crate::json::{Lenient, body};
use crate::operation::operation;
use crate::order::response::{self, OrderResponse};
use crate::request::Request;
use crate::response::{Response, respond};
use crate::schema::{SandboxDecisionName, SandboxTargetName};

operation! {
    /// Move an order
    ///
    /// Moves an order of your test store to a status, through all intermediate statuses, or decides
    /// its pending change. Each step is one event, as if you, the print shop or a carrier had
    /// acted. On the way, the change window and holds end, and units are shipped in a parcel with a
    /// fictitious tracking number. If a step is refused, the previous steps remain.
    store "moveSandboxOrder" at "/app/v1/sandbox/move";
    tag "sandbox", span "api.sandbox.move";
    with of_test_stores: true;
    errors ORDER_COMMAND [OrderNotEditable];
    request MoveSandboxOrder;
    response OrderResponse: "The order as it now is.",
        replayed: "`true` if nothing changed.";
    example "Ship an order": "examples/move_to" request;
    example "Approve the pending change": "examples/move_decision" request;
}

/// A move of an order: either to the status `to`, or by a `decision` on its pending change.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct MoveSandboxOrder {
    /// Your id of the order, or the service's order number, such as `SUN-12`.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// Status to move the order's items to, through all intermediate statuses.
    #[schema(value_type = Option<SandboxTargetName>)]
    to: Lenient<String>,
    /// Decision on the order's pending change.
    #[schema(value_type = Option<SandboxDecisionName>)]
    decision: Lenient<String>,
}

body! { MoveSandboxOrder => PlayDraft { order_id, to, decision } }

async fn handle(call: Signed, request: Request<MoveSandboxOrder>) -> Response {
    let caller = call.caller()?;
    let sandbox = &call.api.services.sandbox;
    let moved = sandbox.play(&call.store, &request.draft, &caller).await;
    respond(moved, request.unknown, response::moved)
}
