//! Create another secret key.

use actix_web::{HttpRequest, HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::log_change;
use super::request::StoreIdRequest;
use super::response::{self, StoreResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Another key",
        request: include_str!("examples/rotate_key.request.json"),
        response: Some(include_str!("examples/rotate_key.response.json")),
    }],
    ..Operation::of_operators(
        "rotateStoreKey",
        "/admin/v1/stores/keys/rotate",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Create another secret key of a store
///
/// Returns the store with the new key, which is shown only in this response. A store has at most two
/// keys: the oldest is removed.
#[utoipa::path(
    post,
    path = "/admin/v1/stores/keys/rotate",
    operation_id = "rotateStoreKey",
    tag = "stores",
    request_body(content = StoreIdRequest),
    responses((status = 200, description = "The store with the new key.", body = StoreResponse))
)]
#[tracing::instrument(name = "api.store.rotate_key", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    http: HttpRequest,
    request: ByOperator<StoreIdRequest>,
) -> Result<HttpResponse, RequestError> {
    let stores = api.stores(&request);
    let found = stores.rotate_key(&request.draft).await;
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
