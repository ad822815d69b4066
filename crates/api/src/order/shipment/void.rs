//! Void a shipment.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::VoidShipment;
use super::response::{self, ShippedResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "The wrong parcel",
        request: include_str!("examples/void.request.json"),
        response: Some(include_str!("examples/void.response.json")),
    }],
    ..Operation::of_operators(
        "voidShipment",
        "/admin/v1/shipments/void",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Void a shipment
///
/// Voids a shipment that was recorded by mistake. Its units and its `ref` are available again; fulfilled items go back
/// to production. Not possible once it was delivered or returned.
#[utoipa::path(
    post,
    path = "/admin/v1/shipments/void",
    operation_id = "voidShipment",
    tag = "shipments",
    request_body(content = VoidShipment),
    responses((status = 200, description = "The shipment and its order.", body = ShippedResponse))
)]
#[tracing::instrument(name = "api.shipment.void", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<VoidShipment>,
) -> Result<HttpResponse, RequestError> {
    let (orders, by) = (&api.services.orders, request.by());
    let reach = api.reach(&request.caller);
    let shipped = orders.void_shipment(reach, &request.draft, &by).await;
    let shipped = shipped.inspect(|shipped| request.note_store_of(&shipped.order));
    let reader = by.actor.role();
    respond(shipped, request.unknown, |shipped, unknown| {
        response::shipped(shipped, unknown, reader)
    })
}
