//! Search deliveries, by an operator.

use actix_web::{HttpResponse, web};
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;
use crate::webhook::request::SearchDeliveries;
use crate::webhook::response::{self, DeliveryPage};

pub(crate) const OPERATION: Operation = Operation {
    kind: CallKind::Search,
    examples: &[Example {
        title: "What failed",
        request: include_str!("../../examples/desk_deliveries_search.request.json"),
        response: Some(include_str!(
            "../../examples/desk_deliveries_search.response.json"
        )),
    }],
    ..Operation::of_operators(
        "searchDeliveries",
        "/admin/v1/webhooks/deliveries/search",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Search deliveries
///
/// Returns a page of the attempts to send events to the shop's endpoints, or to those of the store that the
/// request names, newest first. They are kept for 30 days, unless the service is configured otherwise.
#[utoipa::path(
    post,
    path = "/admin/v1/webhooks/deliveries/search",
    operation_id = "searchDeliveries",
    tag = "webhooks",
    request_body(content = SearchDeliveries),
    responses((
        status = 200, description = "A page of deliveries.", body = DeliveryPage
    ))
)]
#[tracing::instrument(name = "api.webhook.deliveries.search", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<SearchDeliveries>,
) -> Result<HttpResponse, RequestError> {
    let operator = &request.caller.operator;
    let done = api
        .services
        .webhooks
        .deliveries
        .search(operator, &request.draft)
        .await;
    respond(done, request.unknown, response::deliveries)
}
