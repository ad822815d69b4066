//! Create another secret of a webhook endpoint.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use crate::webhook::request::{OfStore, RotateWebhookSecret};
use crate::webhook::response::{self, WebhookResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Another secret",
        request: include_str!("examples/rotate_secret.request.json"),
        response: Some(include_str!("examples/rotate_secret.response.json")),
    }],
    ..Operation::of_stores(
        "rotateWebhookSecret",
        "/app/v1/webhooks/rotate-secret",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// The body of a request.
type Request = OfStore<RotateWebhookSecret>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Create another secret of a webhook endpoint
///
/// The new secret is shown only in this response. The old one signs too, for a day unless the request says
/// otherwise. Two secrets sign at most: a further rotation ends the oldest.
#[utoipa::path(
    post,
    path = "/app/v1/webhooks/rotate-secret",
    operation_id = "rotateWebhookSecret",
    tag = "webhooks",
    request_body(content = Request),
    responses((
        status = 200, description = "The endpoint with the new secret.", body = WebhookResponse
    ))
)]
#[tracing::instrument(name = "api.webhook.rotate_secret", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<Request>,
) -> Result<HttpResponse, RequestError> {
    let store = request.store.as_ref();
    let done = api
        .services
        .webhooks
        .endpoints
        .rotate_secret(store, &request.draft)
        .await;
    respond(done, request.unknown, response::with_secret)
}
