//! Create a store.

use actix_web::{HttpRequest, HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::log_change;
use super::request::CreateStore;
use super::response::{self, StoreResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "A store in euros",
        request: include_str!("examples/create.request.json"),
        response: Some(include_str!("examples/create.response.json")),
    }],
    ..Operation::of_operators(
        "createStore",
        "/admin/v1/stores/create",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Create a store
///
/// Returns the store with its first secret key, which is shown only in this response. An operator
/// that is bound to some stores cannot create others.
#[utoipa::path(
    post,
    path = "/admin/v1/stores/create",
    operation_id = "createStore",
    tag = "stores",
    request_body(content = CreateStore),
    responses((status = 200, description = "The store with its first key.", body = StoreResponse))
)]
#[tracing::instrument(name = "api.store.create", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    http: HttpRequest,
    request: ByOperator<CreateStore>,
) -> Result<HttpResponse, RequestError> {
    let stores = api.stores(&request);
    let found = stores.create(&request.draft).await;
    if let Ok(made) = &found {
        log_change(
            &http,
            &request.caller,
            made.record.store.id,
            Some(made.key_id),
        );
    }
    respond(found, request.unknown, response::store)
}
