//! Search deliveries.

use actix_web::{HttpResponse, web};
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::Api;
use crate::operation::{Example, Operation};
use crate::response::respond;
use crate::signed::Signed;
use crate::webhook::request::{OfStore, SearchDeliveries};
use crate::webhook::response::{self, DeliveryPage};

pub(crate) const OPERATION: Operation = Operation {
    kind: CallKind::Search,
    examples: &[Example {
        title: "What failed",
        request: include_str!("../examples/deliveries_search.request.json"),
        response: Some(include_str!("../examples/deliveries_search.response.json")),
    }],
    ..Operation::of_stores(
        "searchDeliveries",
        "/app/v1/webhooks/deliveries/search",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// The body of a request.
type Request = OfStore<SearchDeliveries>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Search deliveries
///
/// Returns a page of the attempts to send events to your endpoints, newest first. They are kept for 30 days,
/// unless the service is configured otherwise.
#[utoipa::path(
    post,
    path = "/app/v1/webhooks/deliveries/search",
    operation_id = "searchDeliveries",
    tag = "webhooks",
    request_body(content = Request),
    responses((
        status = 200, description = "A page of deliveries.", body = DeliveryPage
    ))
)]
#[tracing::instrument(name = "api.webhook.deliveries.search", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<Request>,
) -> Result<HttpResponse, RequestError> {
    let store = request.store.as_ref();
    let done = api
        .services
        .webhooks
        .deliveries
        .search(store, &request.draft)
        .await;
    respond(done, request.unknown, response::deliveries)
}
