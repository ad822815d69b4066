//! Send all events again that an endpoint did not take.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use crate::webhook::request::{OfStore, RecoverDeliveries};
use crate::webhook::response::{self, QueuedResponse};

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "All since a moment",
        request: include_str!("../examples/deliveries_recover.request.json"),
        response: Some(include_str!("../examples/deliveries_recover.response.json")),
    }],
    ..Operation::of_stores(
        "recoverDeliveries",
        "/app/v1/webhooks/deliveries/recover",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// The body of a request.
type Request = OfStore<RecoverDeliveries>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Send all events again that an endpoint did not take
///
/// All events since a sequence or a time that the endpoint did not take are sent again, at once and then by
/// the schedule: of those that the log of deliveries knows.
#[utoipa::path(
    post,
    path = "/app/v1/webhooks/deliveries/recover",
    operation_id = "recoverDeliveries",
    tag = "webhooks",
    request_body(content = Request),
    responses((
        status = 200, description = "How many events are sent again.", body = QueuedResponse
    ))
)]
#[tracing::instrument(name = "api.webhook.deliveries.recover", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<Request>,
) -> Result<HttpResponse, RequestError> {
    let store = request.store.as_ref();
    let done = api
        .services
        .webhooks
        .deliveries
        .recover(store, &request.draft)
        .await;
    respond(done, request.unknown, response::queued)
}
