//! Revoke a secret key.

use actix_web::{HttpRequest, HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::log_change;
use super::request::StoreKeyRequest;
use super::response::{self, StoreResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "A key",
        request: include_str!("examples/revoke_key.request.json"),
        response: Some(include_str!("examples/revoke_key.response.json")),
    }],
    ..Operation::of_operators(
        "revokeStoreKey",
        "/admin/v1/stores/keys/revoke",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Revoke a secret key of a store
///
/// Takes effect within 5 seconds.
#[utoipa::path(
    post,
    path = "/admin/v1/stores/keys/revoke",
    operation_id = "revokeStoreKey",
    tag = "stores",
    request_body(content = StoreKeyRequest),
    responses((status = 200, description = "The store as it is then.", body = StoreResponse))
)]
#[tracing::instrument(name = "api.store.revoke_key", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    http: HttpRequest,
    request: ByOperator<StoreKeyRequest>,
) -> Result<HttpResponse, RequestError> {
    let stores = api.stores(&request);
    let found = stores.revoke_key(&request.draft).await;
    if let Ok(record) = &found {
        let key = request.draft.key_id.text().and_then(|id| id.parse().ok());
        log_change(&http, &request.caller, record.store.id, key);
    }
    respond(found, request.unknown, response::store)
}
