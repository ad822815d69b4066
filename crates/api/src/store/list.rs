//! List stores.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::NoFields;
use super::response::{self, StoreList};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "All stores",
        request: include_str!("examples/list.request.json"),
        response: Some(include_str!("examples/list.response.json")),
    }],
    ..Operation::of_operators(
        "listStores",
        "/admin/v1/stores/list",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// List the stores
///
/// Returns all stores that the operator reaches, oldest first.
#[utoipa::path(
    post,
    path = "/admin/v1/stores/list",
    operation_id = "listStores",
    tag = "stores",
    request_body(content = NoFields),
    responses((status = 200, description = "A list of stores.", body = StoreList))
)]
#[tracing::instrument(name = "api.store.list", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<NoFields>,
) -> Result<HttpResponse, RequestError> {
    let stores = api.stores(&request);
    let found = stores.list().await;
    respond(found, request.unknown, response::stores)
}
