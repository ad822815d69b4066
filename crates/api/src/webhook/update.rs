//! Change a webhook endpoint.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use crate::webhook::request::{OfStore, UpdateWebhook};
use crate::webhook::response::{self, WebhookResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Another URL, fewer types",
        request: include_str!("examples/update.request.json"),
        response: Some(include_str!("examples/update.response.json")),
    }],
    ..Operation::of_stores(
        "updateWebhook",
        "/app/v1/webhooks/update",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// The body of a request.
type Request = OfStore<UpdateWebhook>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Change a webhook endpoint
///
/// Absent fields stay. An endpoint that pauses is tried at once if its URL is another one.
#[utoipa::path(
    post,
    path = "/app/v1/webhooks/update",
    operation_id = "updateWebhook",
    tag = "webhooks",
    request_body(content = Request),
    responses((
        status = 200, description = "The endpoint as it now is.", body = WebhookResponse
    ))
)]
#[tracing::instrument(name = "api.webhook.update", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<Request>,
) -> Result<HttpResponse, RequestError> {
    let store = request.store.as_ref();
    let done = api
        .services
        .webhooks
        .endpoints
        .update(store, &request.draft)
        .await;
    respond(done, request.unknown, response::changed)
}
