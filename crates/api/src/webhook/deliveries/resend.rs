//! Send an event again.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use crate::webhook::request::{OfStore, ResendDelivery};
use crate::webhook::response::{self, QueuedResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Send it again",
        request: include_str!("../examples/deliveries_resend.request.json"),
        response: Some(include_str!("../examples/deliveries_resend.response.json")),
    }],
    ..Operation::of_stores(
        "resendDelivery",
        "/app/v1/webhooks/deliveries/resend",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// The body of a request.
type Request = OfStore<ResendDelivery>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Send an event again
///
/// The event of a delivery is sent again to its endpoint, at once and then by the schedule. It has the same
/// id, type and sequence; its order is as it was right after it.
#[utoipa::path(
    post,
    path = "/app/v1/webhooks/deliveries/resend",
    operation_id = "resendDelivery",
    tag = "webhooks",
    request_body(content = Request),
    responses((
        status = 200, description = "How many events are sent again.", body = QueuedResponse
    ))
)]
#[tracing::instrument(name = "api.webhook.deliveries.resend", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<Request>,
) -> Result<HttpResponse, RequestError> {
    let store = request.store.as_ref();
    let done = api
        .services
        .webhooks
        .deliveries
        .resend(store, &request.draft)
        .await;
    respond(done, request.unknown, response::queued)
}
