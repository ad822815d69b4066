//! Test a webhook endpoint.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use crate::webhook::request::{OfStore, WebhookIdRequest};
use crate::webhook::response::{self, DeliveryResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Try it",
        request: include_str!("examples/test.request.json"),
        response: Some(include_str!("examples/test.response.json")),
    }],
    ..Operation::of_stores(
        "testWebhook",
        "/app/v1/webhooks/test",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// The body of a request.
type Request = OfStore<WebhookIdRequest>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Test a webhook endpoint
///
/// Sends an event of the type `webhook.test` at once, also to a disabled endpoint, and returns the delivery.
/// There is one attempt, and its outcome changes nothing. The event is not in the feed.
#[utoipa::path(
    post,
    path = "/app/v1/webhooks/test",
    operation_id = "testWebhook",
    tag = "webhooks",
    request_body(content = Request),
    responses((
        status = 200, description = "The delivery.", body = DeliveryResponse
    ))
)]
#[tracing::instrument(name = "api.webhook.test", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<Request>,
) -> Result<HttpResponse, RequestError> {
    let store = request.store.as_ref();
    let done = api
        .services
        .webhooks
        .tester
        .test(store, &request.draft)
        .await;
    respond(done, request.unknown, response::delivery)
}
