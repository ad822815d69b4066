//! Bring nearer what falls due.

use actix_web::{HttpResponse, web};
use pressline_domain::order::sandbox::{Advanced, ClockDraft};
use pressline_domain::report::{Path, Warning};
use pressline_http::request_error::RequestError;
use serde::{Deserialize, Serialize};
use utoipa::{OpenApi, ToSchema};

use crate::Api;
use crate::json::{Body, Lenient, Unknown};
use crate::operation::{Example, Operation};
use crate::response::single::{Envelope, ResponseOf};
use crate::response::{json, respond};
use crate::signed::Signed;

pub(crate) const OPERATION: Operation = Operation {
    of_test_stores: true,
    examples: &[Example {
        title: "An hour",
        request: include_str!("examples/clock.request.json"),
        response: Some(include_str!("examples/clock.response.json")),
    }],
    ..Operation::of_stores(
        "advanceSandboxClock",
        "/app/v1/sandbox/clock",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// How much nearer what falls due comes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AdvanceClock {
    /// By how many seconds; 2,592,000 are 30 days.
    #[schema(value_type = i64, minimum = 1, maximum = 2_592_000)]
    advance_seconds: Lenient<i64>,
}

impl Body for AdvanceClock {
    type Draft = ClockDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> ClockDraft {
        ClockDraft {
            advance_seconds: self.advance_seconds.0,
        }
    }
}

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

/// Documents the response with what has happened.
type ClockResponse = ResponseOf<ClockBody>;

/// Advance the clock
///
/// Brings everything of your test store that falls due later nearer by so many seconds: the ends of cooling-off windows
/// and of holds, and of your webhook endpoints the next attempts, pauses and the five days after which they are disabled. Returns when the orders that fell due have moved, with their events. Your clock and the times of
/// events stay those of the real world. If the call fails, a part of the orders may have come nearer.
#[utoipa::path(
    post,
    path = "/app/v1/sandbox/clock",
    operation_id = "advanceSandboxClock",
    tag = "sandbox",
    request_body(content = AdvanceClock),
    responses((status = 200, description = "What has happened.", body = ClockResponse))
)]
#[tracing::instrument(name = "api.sandbox.clock", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<AdvanceClock>,
) -> Result<HttpResponse, RequestError> {
    let Signed {
        store,
        draft,
        unknown,
        ..
    } = request;
    let sandbox = api.services.sandbox.clone();
    // A task of its own goes on if the caller goes away, so that no part of the orders is left behind.
    let advancing = actix_web::rt::spawn(async move { sandbox.clock(&store, &draft).await });
    let advanced = advancing.await;
    let advanced = advanced.map_err(|error| RequestError::internal(error.to_string()))?;
    respond(advanced, unknown, shown)
}

fn shown(advanced: Advanced, warnings: Vec<Warning>) -> Result<HttpResponse, RequestError> {
    let body = ClockBody {
        advance_seconds: advanced.seconds,
        orders_moved: advanced.orders_moved,
    };
    json(&Envelope::new("OK", body, warnings))
}
