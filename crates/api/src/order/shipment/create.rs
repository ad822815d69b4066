//! Record a shipment.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::CreateShipment;
use super::response::{self, ShippedResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Six of ten units",
        request: include_str!("examples/create.request.json"),
        response: Some(include_str!("examples/create.response.json")),
    }],
    ..Operation::of_operators(
        "createShipment",
        "/admin/v1/shipments/create",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Record a shipment
///
/// Records a parcel with units of an order. Items in it that are ready go into production; an item whose units are all
/// shipped is fulfilled. The same again, by `ref` or else by `carrier` and `trackingNumber`, is the same shipment: the
/// response is the order as it is, with `Idempotent-Replayed`. Other content is `duplicate_shipment`.
#[utoipa::path(
    post,
    path = "/admin/v1/shipments/create",
    operation_id = "createShipment",
    tag = "shipments",
    request_body(content = CreateShipment),
    responses((status = 200, description = "The shipment and its order.", body = ShippedResponse))
)]
#[tracing::instrument(name = "api.shipment.create", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<CreateShipment>,
) -> Result<HttpResponse, RequestError> {
    let (orders, by) = (&api.services.orders, request.by());
    let reach = api.reach(&request.caller);
    let shipped = orders.create_shipment(reach, &request.draft, &by).await;
    let shipped = shipped.inspect(|shipped| request.note_store_of(&shipped.order));
    let reader = by.actor.role();
    respond(shipped, request.unknown, |shipped, unknown| {
        response::shipped(shipped, unknown, reader)
    })
}
