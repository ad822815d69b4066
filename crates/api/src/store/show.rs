//! Show a store.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::StoreIdRequest;
use super::response::{self, StoreResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "A store",
        request: include_str!("examples/show.request.json"),
        response: Some(include_str!("examples/show.response.json")),
    }],
    ..Operation::of_operators(
        "showStore",
        "/admin/v1/stores/show",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Show a store
///
/// Returns the store with its settings and the ids of its keys.
#[utoipa::path(
    post,
    path = "/admin/v1/stores/show",
    operation_id = "showStore",
    tag = "stores",
    request_body(content = StoreIdRequest),
    responses((status = 200, description = "The store.", body = StoreResponse))
)]
#[tracing::instrument(name = "api.store.show", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<StoreIdRequest>,
) -> Result<HttpResponse, RequestError> {
    let stores = api.stores(&request);
    let found = stores.show(&request.draft).await;
    respond(found, request.unknown, response::store)
}
