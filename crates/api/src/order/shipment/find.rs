//! Find shipments by their tracking number.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::FindShipments;
use super::response::{self, FoundList};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "By carrier and number",
        request: include_str!("examples/find.request.json"),
        response: Some(include_str!("examples/find.response.json")),
    }],
    ..Operation::of_operators(
        "findShipments",
        "/admin/v1/shipments/find",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Find shipments
///
/// Returns the shipments with a tracking number in all stores, void ones too: those of the newest orders first, at most
/// 100.
#[utoipa::path(
    post,
    path = "/admin/v1/shipments/find",
    operation_id = "findShipments",
    tag = "shipments",
    request_body(content = FindShipments),
    responses((status = 200, description = "The shipments.", body = FoundList))
)]
#[tracing::instrument(name = "api.shipment.find", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<FindShipments>,
) -> Result<HttpResponse, RequestError> {
    let orders = &api.services.orders;
    let found = orders
        .find_shipments(api.reach(&request.caller), &request.draft)
        .await;
    respond(found, request.unknown, response::found)
}
