//! Search batches, newest first.

use actix_web::{HttpResponse, web};
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::SearchBatches;
use super::response::{self, BatchesPage};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    kind: CallKind::Search,
    examples: &[Example {
        title: "Open ones",
        request: include_str!("examples/search.request.json"),
        response: Some(include_str!("examples/search.response.json")),
    }],
    ..Operation::of_operators(
        "searchBatches",
        "/admin/v1/batches/search",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Search batches
///
/// Returns a page of batches, newest first, without their items.
#[utoipa::path(
    post,
    path = "/admin/v1/batches/search",
    operation_id = "searchBatches",
    tag = "batches",
    request_body(content = SearchBatches),
    responses((status = 200, description = "A page of batches.", body = BatchesPage))
)]
#[tracing::instrument(name = "api.batch.search", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<SearchBatches>,
) -> Result<HttpResponse, RequestError> {
    let production = &api.services.production;
    let operator = &request.caller.operator;
    let found = production.search_batches(operator, &request.draft).await;
    respond(found, request.unknown, |found, unknown| {
        response::page(&found, unknown)
    })
}
