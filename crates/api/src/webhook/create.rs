//! Create a webhook endpoint.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use crate::webhook::request::{CreateWebhook, OfStore};
use crate::webhook::response::{self, WebhookResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "All events",
        request: include_str!("examples/create.request.json"),
        response: Some(include_str!("examples/create.response.json")),
    }],
    ..Operation::of_stores(
        "createWebhook",
        "/app/v1/webhooks/create",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// The body of a request.
type Request = OfStore<CreateWebhook>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Create a webhook endpoint
///
/// The events that happen from now on are sent to the URL. The secret that signs them is shown only in this
/// response.
#[utoipa::path(
    post,
    path = "/app/v1/webhooks/create",
    operation_id = "createWebhook",
    tag = "webhooks",
    request_body(content = Request),
    responses((
        status = 200, description = "The endpoint with its secret.", body = WebhookResponse
    ))
)]
#[tracing::instrument(name = "api.webhook.create", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<Request>,
) -> Result<HttpResponse, RequestError> {
    let store = request.store.as_ref();
    let done = api
        .services
        .webhooks
        .endpoints
        .create(store, &request.draft)
        .await;
    respond(done, request.unknown, response::with_secret)
}
