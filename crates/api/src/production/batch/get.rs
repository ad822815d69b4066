//! Get batch: its items as they are now.

use actix_web::{HttpResponse, web};
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::BatchName;
use super::response::{self, BatchResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    kind: CallKind::Large,
    examples: &[Example {
        title: "By its number",
        request: include_str!("examples/get.request.json"),
        response: Some(include_str!("examples/get.response.json")),
    }],
    ..Operation::of_operators(
        "getBatch",
        "/admin/v1/batches/get",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Get a batch
///
/// Returns a batch with its items as they are now. One that was held, cancelled or is waiting for an answer is still listed, as
/// taken out. An operator who is bound to some stores finds the batches all of whose items are of these.
#[utoipa::path(
    post,
    path = "/admin/v1/batches/get",
    operation_id = "getBatch",
    tag = "batches",
    request_body(content = BatchName),
    responses((status = 200, description = "The batch.", body = BatchResponse))
)]
#[tracing::instrument(name = "api.batch.get", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<BatchName>,
) -> Result<HttpResponse, RequestError> {
    let production = &api.services.production;
    let found = production
        .get_batch(&request.caller.operator, &request.draft)
        .await;
    respond(found, request.unknown, |found, unknown| {
        response::batch(&found, false, production.steps(), unknown)
    })
}
