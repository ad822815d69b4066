//! Close batch: its items can be in others.

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
        request: include_str!("examples/close.request.json"),
        response: Some(include_str!("examples/close.response.json")),
    }],
    ..Operation::of_operators(
        "closeBatch",
        "/admin/v1/batches/close",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Close a batch
///
/// Closes a batch, whatever its items are at. They can be in other batches then.
#[utoipa::path(
    post,
    path = "/admin/v1/batches/close",
    operation_id = "closeBatch",
    tag = "batches",
    request_body(content = BatchName),
    responses((status = 200, description = "The batch.", body = BatchResponse))
)]
#[tracing::instrument(name = "api.batch.close", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<BatchName>,
) -> Result<HttpResponse, RequestError> {
    let production = &api.services.production;
    let closed = production
        .close_batch(&request.caller.operator, &request.draft)
        .await;
    respond(closed, request.unknown, |(closed, replayed), unknown| {
        response::batch(&closed, replayed, production.steps(), unknown)
    })
}
