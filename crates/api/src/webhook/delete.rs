//! Delete a webhook endpoint.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use crate::webhook::request::{OfStore, WebhookIdRequest};
use crate::webhook::response::{self, NothingResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Delete it",
        request: include_str!("examples/delete.request.json"),
        response: Some(include_str!("examples/delete.response.json")),
    }],
    ..Operation::of_stores(
        "deleteWebhook",
        "/app/v1/webhooks/delete",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// The body of a request.
type Request = OfStore<WebhookIdRequest>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Delete a webhook endpoint
///
/// The endpoint is deleted with its deliveries. `data` is null.
#[utoipa::path(
    post,
    path = "/app/v1/webhooks/delete",
    operation_id = "deleteWebhook",
    tag = "webhooks",
    request_body(content = Request),
    responses((
        status = 200, description = "It is deleted.", body = NothingResponse
    ))
)]
#[tracing::instrument(name = "api.webhook.delete", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<Request>,
) -> Result<HttpResponse, RequestError> {
    let store = request.store.as_ref();
    let done = api
        .services
        .webhooks
        .endpoints
        .delete(store, &request.draft)
        .await;
    respond(done, request.unknown, response::deleted)
}
