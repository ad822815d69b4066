//! Start batch: begin the production of its items.

use actix_web::{HttpResponse, web};
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::BatchName;
use super::response::{self, StartedResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    kind: CallKind::Large,
    examples: &[Example {
        title: "By its number",
        request: include_str!("examples/start.request.json"),
        response: Some(include_str!("examples/start.response.json")),
    }],
    ..Operation::of_operators(
        "startBatch",
        "/admin/v1/batches/start",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Start a batch
///
/// Starts the items of a batch that are `ready`. Each order is moved by itself, and has a result as when orders are moved; a
/// refusal does not affect the others. A repeated call starts those that have become ready again.
#[utoipa::path(
    post,
    path = "/admin/v1/batches/start",
    operation_id = "startBatch",
    tag = "batches",
    request_body(content = BatchName),
    responses((status = 200, description = "The batch, and what became of each order.", body = StartedResponse))
)]
#[tracing::instrument(name = "api.batch.start", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<BatchName>,
) -> Result<HttpResponse, RequestError> {
    let production = &api.services.production;
    let (operator, by) = (&request.caller.operator, request.by());
    let started = production.start_batch(operator, &request.draft, &by).await;
    respond(started, request.unknown, |started, unknown| {
        response::started(started, production.steps(), unknown)
    })
}
