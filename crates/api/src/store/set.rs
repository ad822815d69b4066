//! Change a store.

use actix_web::{HttpRequest, HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::log_change;
use super::request::SetStore;
use super::response::{self, StoreResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "A strict catalog",
        request: include_str!("examples/set.request.json"),
        response: Some(include_str!("examples/set.response.json")),
    }],
    ..Operation::of_operators(
        "setStore",
        "/admin/v1/stores/set",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Change the settings of a store
///
/// Absent fields stay. The changes take effect within 5 seconds.
#[utoipa::path(
    post,
    path = "/admin/v1/stores/set",
    operation_id = "setStore",
    tag = "stores",
    request_body(content = SetStore),
    responses((status = 200, description = "The store as it is then.", body = StoreResponse))
)]
#[tracing::instrument(name = "api.store.set", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    http: HttpRequest,
    request: ByOperator<SetStore>,
) -> Result<HttpResponse, RequestError> {
    let stores = api.stores(&request);
    let (which, draft) = &request.draft;
    let found = stores.set(which, draft).await;
    if let Ok(record) = &found {
        log_change(&http, &request.caller, record.store.id, None);
    }
    respond(found, request.unknown, response::store)
}
