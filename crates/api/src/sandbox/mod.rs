//! Operations for test stores.

use pressline_backoffice::sandbox::{ClockAdvance, ClockDraft, PlayDraft};
use pressline_backoffice::webhook::SandboxWebhookDraft;
use pressline_domain::check::Warning;
use pressline_http::request_error::RequestError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::caller::Signed;
use crate::json::bodies;
use crate::operation::operations;
use crate::order::response::{self, OrderResponse};
use crate::request::Request;
use crate::response::{Envelope, Response, ResponseOf, json, respond};
use crate::schema::{SandboxActionName, SandboxDecisionName, SandboxTargetName};
use crate::webhook::{WebhookResponse, changed};

operations! {
    const OPERATIONS;

    /// Advance the clock
    ///
    /// Fast-forwards your test store by `advanceSeconds`: its due times become this much earlier.
    /// Due times are the ends of cooling-off windows and of holds. For your webhook endpoints, due
    /// times are the next attempts, the ends of pauses, and the disabling after five days of
    /// failures. Returns after all due orders have moved and their events are stored. Your clock
    /// and the times of events do not change. If the call fails, the due times of some orders may
    /// already be earlier.
    store "advanceSandboxClock" at "/app/v1/sandbox/clock";
    tag "sandbox", span "api.sandbox.clock", handler advance_clock;
    with of_test_stores: true;
    request AdvanceClock;
    response ResponseOf<ClockBody>: "What has happened.";
    example "An hour": "examples/clock" request response;

    /// Move an order
    ///
    /// Moves an order of your test store to a status, through all intermediate statuses, or decides
    /// its pending change. Each step is one event, as if you, the print shop or a carrier had
    /// acted. On the way, the change window and holds end, and units are shipped in a parcel with a
    /// fictitious tracking number. If a step is refused, the previous steps remain.
    store "moveSandboxOrder" at "/app/v1/sandbox/move";
    tag "sandbox", span "api.sandbox.move", handler move_order;
    with of_test_stores: true;
    errors ORDER_COMMAND [OrderNotEditable];
    request MoveSandboxOrder;
    response OrderResponse: "The order as it now is.",
        replayed: "`true` if nothing changed.";
    example "Ship an order": "examples/move_to" request;
    example "Approve the pending change": "examples/move_decision" request;

    /// Decide what happens to the next event
    ///
    /// Drops, repeats, delays or reorders the next event for one of your test store's webhook
    /// endpoints. A later call replaces a treatment that no event has used yet.
    store "arrangeSandboxWebhook" at "/app/v1/sandbox/webhooks";
    tag "sandbox", span "api.sandbox.webhooks", handler arrange_webhook;
    with of_test_stores: true;
    errors [WebhookNotFound];
    request ArrangeWebhook;
    response WebhookResponse: "The endpoint.";
    example "Send the next event twice": "examples/webhooks" request;
}

async fn advance_clock(call: Signed, request: Request<AdvanceClock>) -> Response {
    let sandbox = call.api.services.sandbox.clone();
    let (store, draft) = (call.store, request.draft);
    // A separate task continues if the caller disconnects, so that no order is left out.
    let advancing = actix_web::rt::spawn(async move { sandbox.clock(&store, &draft).await });
    let advanced = advancing
        .await
        .map_err(|error| RequestError::internal(error.to_string()))?;
    respond(advanced, request.unknown, shown)
}

fn shown(advanced: ClockAdvance, warnings: Vec<Warning>) -> Response {
    let body = ClockBody {
        advance_seconds: advanced.seconds,
        orders_moved: advanced.orders_moved,
    };
    json(&Envelope::new("OK", body, warnings))
}

async fn move_order(call: Signed, request: Request<MoveSandboxOrder>) -> Response {
    let caller = call.caller()?;
    let sandbox = &call.api.services.sandbox;
    let moved = sandbox.play(&call.store, &request.draft, &caller).await;
    respond(moved, request.unknown, response::moved)
}

async fn arrange_webhook(call: Signed, request: Request<ArrangeWebhook>) -> Response {
    let endpoints = &call.api.services.webhooks;
    let arranged = endpoints.arrange(&call.store, &request.draft).await;
    respond(arranged, request.unknown, changed)
}

bodies! {
    /// A fast-forward of a test store.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct AdvanceClock {
        /// Number of seconds; at most 2,592,000, or 30 days.
        advance_seconds: i64 [minimum = 1, maximum = 2_592_000],
    }
    draft ClockDraft
}

/// Result of a fast-forward.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SandboxClock)]
#[serde(rename_all = "camelCase")]
struct ClockBody {
    /// Number of seconds: all due times are this much earlier.
    #[schema(minimum = 1)]
    advance_seconds: u32,
    /// Number of orders that became due and have moved.
    #[schema(minimum = 0)]
    orders_moved: u64,
}

bodies! {
    /// A move of an order: either to the status `to`, or by a `decision` on its pending change.
    pub(crate) struct MoveSandboxOrder {
        /// Your id of the order, the service's order number, such as `SUN-12`, or its `id`.
        order_id: String [pattern = r"\S", max_length = 128],
        /// Status to move the order's items to, through all intermediate statuses.
        to: Option<SandboxTargetName>,
        /// Decision on the order's pending change.
        decision: Option<SandboxDecisionName>,
    }
    draft PlayDraft

    /// Treatment of the next event of a webhook endpoint.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ArrangeWebhook {
        /// Id of the webhook endpoint.
        webhook_id: String [format = "uuid"],
        /// `drop`: the next event is not sent, but logged as failed. `repeat`: it is sent twice.
        /// `delay`: it is sent `delaySeconds` later. `reorder`: it is sent after the next event of
        /// any order, or 10 seconds after it happened if no event follows by then.
        action: SandboxActionName,
        /// Delay in seconds. Only with `delay`.
        delay_seconds: Option<i64> [minimum = 1, maximum = 60],
    }
    draft SandboxWebhookDraft
}
