//! Move an order as the shop and carriers would.

use actix_web::{HttpResponse, web};
use pressline_domain::order::sandbox::PlayDraft;
use pressline_domain::report::Path;
use pressline_http::request_error::RequestError;
use serde::Deserialize;
use utoipa::{OpenApi, ToSchema};

use crate::Api;
use crate::json::{Body, Lenient, Unknown};
use crate::operation::{Example, Operation};
use crate::order::response::{self, OrderResponse};
use crate::response::respond;
use crate::schema::{SandboxDecisionName, SandboxTargetName};
use crate::signed::Signed;

pub(crate) const OPERATION: Operation = Operation {
    of_test_stores: true,
    examples: &[
        Example {
            title: "Ship an order",
            request: include_str!("examples/move_to.request.json"),
            response: None,
        },
        Example {
            title: "Approve the pending change",
            request: include_str!("examples/move_decision.request.json"),
            response: None,
        },
    ],
    ..Operation::of_stores(
        "moveSandboxOrder",
        "/app/v1/sandbox/move",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Which order to move, and either `to` or `decision`.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct MoveSandboxOrder {
    /// Your id of the order, or the service's order number.
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// The status to move its items to, with all steps between.
    #[schema(value_type = Option<SandboxTargetName>)]
    to: Lenient<String>,
    /// What is decided about its pending change.
    #[schema(value_type = Option<SandboxDecisionName>)]
    decision: Lenient<String>,
}

impl Body for MoveSandboxOrder {
    type Draft = PlayDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> PlayDraft {
        PlayDraft {
            order_id: self.order_id.0,
            to: self.to.0,
            decision: self.decision.0,
        }
    }
}

/// Move an order
///
/// Moves an order of your test store as the shop and carriers would: up to a status, with all steps between, or by deciding
/// its pending change. `ready` ends the window; parcels are shipped with a made-up number, and reports on them are the
/// carrier's. Each step is one event. Steps before one that is refused have been made.
#[utoipa::path(
    post,
    path = "/app/v1/sandbox/move",
    operation_id = "moveSandboxOrder",
    tag = "sandbox",
    request_body(content = MoveSandboxOrder),
    responses((
        status = 200, description = "The order as it now is.", body = OrderResponse,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` if this was so already, and nothing has changed."
        ))
    ))
)]
#[tracing::instrument(name = "api.sandbox.move", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<MoveSandboxOrder>,
) -> Result<HttpResponse, RequestError> {
    let caller = request.caller()?;
    let sandbox = &api.services.sandbox;
    let moved = sandbox.play(&request.store, &request.draft, &caller).await;
    respond(moved, request.unknown, response::moved)
}
