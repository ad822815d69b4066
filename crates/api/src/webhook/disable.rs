//! Disable a webhook endpoint.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use crate::webhook::request::{OfStore, WebhookIdRequest};
use crate::webhook::response::{self, WebhookResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Disable it",
        request: include_str!("examples/disable.request.json"),
        response: Some(include_str!("examples/disable.response.json")),
    }],
    ..Operation::of_stores(
        "disableWebhook",
        "/app/v1/webhooks/disable",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// The body of a request.
type Request = OfStore<WebhookIdRequest>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Disable a webhook endpoint
///
/// Nothing is sent to it until it is enabled.
#[utoipa::path(
    post,
    path = "/app/v1/webhooks/disable",
    operation_id = "disableWebhook",
    tag = "webhooks",
    request_body(content = Request),
    responses((
        status = 200, description = "The endpoint as it now is.", body = WebhookResponse,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` if it was disabled already, and nothing has changed."
        ))
    ))
)]
#[tracing::instrument(name = "api.webhook.disable", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<Request>,
) -> Result<HttpResponse, RequestError> {
    let store = request.store.as_ref();
    let done = api
        .services
        .webhooks
        .endpoints
        .disable(store, &request.draft)
        .await;
    respond(done, request.unknown, response::changed)
}
