//! Enable a webhook endpoint.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use crate::webhook::request::{EnableWebhook, OfStore};
use crate::webhook::response::{self, WebhookResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "From where it stopped",
        request: include_str!("examples/enable.request.json"),
        response: Some(include_str!("examples/enable.response.json")),
    }],
    ..Operation::of_stores(
        "enableWebhook",
        "/app/v1/webhooks/enable",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// The body of a request.
type Request = OfStore<EnableWebhook>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Enable a webhook endpoint
///
/// The endpoint goes on where it stopped, begins with what happens from now on, or begins after a sequence.
/// The latter two drop what waits to be sent again. An endpoint that pauses is tried at once.
#[utoipa::path(
    post,
    path = "/app/v1/webhooks/enable",
    operation_id = "enableWebhook",
    tag = "webhooks",
    request_body(content = Request),
    responses((
        status = 200, description = "The endpoint as it now is.", body = WebhookResponse,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` if it was enabled and did not pause, and nothing has changed."
        ))
    ))
)]
#[tracing::instrument(name = "api.webhook.enable", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<Request>,
) -> Result<HttpResponse, RequestError> {
    let store = request.store.as_ref();
    let done = api
        .services
        .webhooks
        .endpoints
        .enable(store, &request.draft)
        .await;
    respond(done, request.unknown, response::changed)
}
