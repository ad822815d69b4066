//! Fast-forward the due times of a test store.

use pressline_backoffice::sandbox::{ClockAdvance, ClockDraft};
use pressline_domain::check::report::Warning;
use pressline_http::request_error::RequestError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::caller::Signed;
use crate::json::{Lenient, body};
use crate::operation::operation;
use crate::request::Request;
use crate::response::single::{Envelope, ResponseOf};
use crate::response::{Response, json, respond};

operation! {
    /// Advance the clock
    ///
    /// Fast-forwards your test store by `advanceSeconds`: its due times become this much earlier.
    /// Due times are the ends of cooling-off windows and of holds. For your webhook endpoints, due
    /// times are the next attempts, the ends of pauses, and the disabling after five days of
    /// failures. Returns after all due orders have moved and their events are stored. Your clock
    /// and the times of events do not change. If the call fails, the due times of some orders may
    /// already be earlier.
    store "advanceSandboxClock" at "/app/v1/sandbox/clock";
    tag "sandbox", span "api.sandbox.clock";
    with of_test_stores: true;
    request AdvanceClock;
    response ClockResponse: "What has happened.";
    example "An hour": "examples/clock" request response;
}

/// A fast-forward of a test store.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdvanceClock {
    /// Number of seconds; at most 2,592,000, or 30 days.
    #[schema(value_type = i64, minimum = 1, maximum = 2_592_000)]
    advance_seconds: Lenient<i64>,
}

body! { AdvanceClock => ClockDraft { advance_seconds } }

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

type ClockResponse = ResponseOf<ClockBody>;

async fn handle(call: Signed, request: Request<AdvanceClock>) -> Response {
    let sandbox = call.api.services.sandbox.clone();
    let (store, draft) = (call.store, request.draft);
    // A separate task continues if the caller disconnects, so that no order is left out.
    let advancing = actix_web::rt::spawn(async move { sandbox.clock(&store, &draft).await });
    let advanced = advancing.await;
    let advanced = advanced.map_err(|error| RequestError::internal(error.to_string()))?;
    respond(advanced, request.unknown, shown)
}

fn shown(advanced: ClockAdvance, warnings: Vec<Warning>) -> Response {
    let body = ClockBody {
        advance_seconds: advanced.seconds,
        orders_moved: advanced.orders_moved,
    };
    json(&Envelope::new("OK", body, warnings))
}
