//! Bring nearer what falls due.

use pressline_backoffice::sandbox::{ClockAdvance, ClockDraft};
use pressline_domain::report::Warning;
use pressline_http::request_error::RequestError;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::intake::Request;
use crate::json::{Lenient, body};
use crate::operation::operation;
use crate::response::single::{Envelope, ResponseOf};
use crate::response::{Response, json, respond};
use crate::signed::Signed;

operation! {
    /// Advance the clock
    ///
    /// Brings everything of your test store that falls due later nearer by so many seconds: the ends of cooling-off windows
    /// and of holds, and of your webhook endpoints the next attempts, pauses and the five days after which they are disabled. Returns when the orders that fell due have moved, with their events. Your clock and the times of
    /// events stay those of the real world. If the call fails, a part of the orders may have come nearer.
    store "advanceSandboxClock" at "/app/v1/sandbox/clock";
    tag "sandbox", span "api.sandbox.clock";
    with of_test_stores: true;
    request AdvanceClock;
    response ClockResponse: "What has happened.";
    example "An hour": "examples/clock" request response;
}

/// How much nearer what falls due comes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdvanceClock {
    /// By how many seconds; 2,592,000 are 30 days.
    #[schema(value_type = i64, minimum = 1, maximum = 2_592_000)]
    advance_seconds: Lenient<i64>,
}

body! { AdvanceClock => ClockDraft { advance_seconds } }

/// What has happened.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SandboxClock)]
#[serde(rename_all = "camelCase")]
struct ClockBody {
    /// By how many seconds everything came nearer.
    #[schema(minimum = 1)]
    advance_seconds: u32,
    /// Number of orders that fell due and have moved.
    #[schema(minimum = 0)]
    orders_moved: u64,
}

type ClockResponse = ResponseOf<ClockBody>;

async fn handle(call: Signed, request: Request<AdvanceClock>) -> Response {
    let sandbox = call.api.services.sandbox.clone();
    let (store, draft) = (call.store, request.draft);
    // A task of its own goes on if the caller goes away, so that no part of the orders is left behind.
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
