//! Change a shipment.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::UpdateShipment;
use super::response::{self, ShippedResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Another tracking number",
        request: include_str!("examples/update.request.json"),
        response: Some(include_str!("examples/update.response.json")),
    }],
    ..Operation::of_operators(
        "updateShipment",
        "/admin/v1/shipments/update",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Change a shipment
///
/// Changes values of a shipment that is not void. Absent fields stay.
#[utoipa::path(
    post,
    path = "/admin/v1/shipments/update",
    operation_id = "updateShipment",
    tag = "shipments",
    request_body(content = UpdateShipment),
    responses((status = 200, description = "The shipment and its order.", body = ShippedResponse))
)]
#[tracing::instrument(name = "api.shipment.update", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<UpdateShipment>,
) -> Result<HttpResponse, RequestError> {
    let (orders, by) = (&api.services.orders, request.by());
    let reach = api.reach(&request.caller);
    let shipped = orders.update_shipment(reach, &request.draft, &by).await;
    let shipped = shipped.inspect(|shipped| request.note_store_of(&shipped.order));
    let reader = by.actor.role();
    respond(shipped, request.unknown, |shipped, unknown| {
        response::shipped(shipped, unknown, reader)
    })
}
