//! Get order: an order of any store, as it is or as it was.

use actix_web::{HttpResponse, web};
use utoipa::OpenApi;

use super::response::{self, NotedResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::order::get::GetOrder;
use crate::response::respond;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "As it is",
        request: include_str!("examples/get.request.json"),
        response: Some(include_str!("examples/get.response.json")),
    }],
    ..Operation::of_operators(
        "getOrder",
        "/admin/v1/orders/get",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Get an order
///
/// Returns an order of any store, as it is now, or as it was at a moment or a version.
#[utoipa::path(
    post,
    path = "/admin/v1/orders/get",
    operation_id = "getOrder",
    tag = "orders",
    request_body(content = GetOrder),
    responses((status = 200, description = "The order with the notes about it.", body = NotedResponse))
)]
#[tracing::instrument(name = "api.desk.get", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<GetOrder>,
) -> Result<HttpResponse, RequestError> {
    let notes = &api.services.notes;
    let found = notes.get(api.reach(&request.caller), &request.draft).await;
    let found = found.inspect(|noted| request.note_store_of(&noted.order));
    respond(found, request.unknown, response::noted)
}
