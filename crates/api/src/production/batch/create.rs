//! Create batch: items that are produced together.

use actix_web::{HttpResponse, web};
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::CreateBatch;
use super::response::{self, BatchResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    kind: CallKind::Large,
    examples: &[Example {
        title: "Of an item",
        request: include_str!("examples/create.request.json"),
        response: Some(include_str!("examples/create.response.json")),
    }],
    ..Operation::of_operators(
        "createBatch",
        "/admin/v1/batches/create",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Create a batch
///
/// Makes a batch of 1 to 500 items that are `ready` or `in-production`, and are in no other open batch; or none, if one of them
/// cannot be in it. The items stay as they are until the batch is started.
#[utoipa::path(
    post,
    path = "/admin/v1/batches/create",
    operation_id = "createBatch",
    tag = "batches",
    request_body(content = CreateBatch),
    responses((status = 200, description = "The batch.", body = BatchResponse))
)]
#[tracing::instrument(name = "api.batch.create", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<CreateBatch>,
) -> Result<HttpResponse, RequestError> {
    let production = &api.services.production;
    let (operator, by) = (&request.caller.operator, request.by());
    let created = production.create_batch(operator, &request.draft, &by).await;
    respond(created, request.unknown, |created, unknown| {
        response::batch(&created, false, production.steps(), unknown)
    })
}
