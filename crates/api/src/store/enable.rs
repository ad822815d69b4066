//! Enable a store.

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
        title: "A store",
        request: include_str!("examples/enable.request.json"),
        response: Some(include_str!("examples/enable.response.json")),
    }],
    ..Operation::of_operators(
        "enableStore",
        "/admin/v1/stores/enable",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Serve a disabled store again
///
/// Takes effect within 5 seconds.
#[utoipa::path(
    post,
    path = "/admin/v1/stores/enable",
    operation_id = "enableStore",
    tag = "stores",
    request_body(content = StoreIdRequest),
    responses((status = 200, description = "The store as it is then.", body = StoreResponse))
)]
#[tracing::instrument(name = "api.store.enable", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    http: HttpRequest,
    request: ByOperator<StoreIdRequest>,
) -> Result<HttpResponse, RequestError> {
    let stores = api.stores(&request);
    let found = stores.set_enabled(&request.draft, true).await;
    if let Ok(record) = &found {
        log_change(&http, &request.caller, record.store.id, None);
    }
    respond(found, request.unknown, response::store)
}
