//! List webhook endpoints.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use crate::webhook::request::{ListWebhooks, OfStore};
use crate::webhook::response::{self, WebhookList};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "All endpoints",
        request: include_str!("examples/list.request.json"),
        response: Some(include_str!("examples/list.response.json")),
    }],
    ..Operation::of_stores(
        "listWebhooks",
        "/app/v1/webhooks/list",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// The body of a request.
type Request = OfStore<ListWebhooks>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// List webhook endpoints
///
/// Returns your endpoints, oldest first, or the one that the request names.
#[utoipa::path(
    post,
    path = "/app/v1/webhooks/list",
    operation_id = "listWebhooks",
    tag = "webhooks",
    request_body(content = Request),
    responses((
        status = 200, description = "The endpoints.", body = WebhookList
    ))
)]
#[tracing::instrument(name = "api.webhook.list", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<Request>,
) -> Result<HttpResponse, RequestError> {
    let store = request.store.as_ref();
    let done = api
        .services
        .webhooks
        .endpoints
        .list(store, &request.draft)
        .await;
    respond(done, request.unknown, response::list)
}
