//! Report what became of a parcel.

use actix_web::{HttpResponse, web};
use pressline_http::request_error::RequestError;
use utoipa::OpenApi;

use super::request::TrackShipment;
use super::response::{self, ShippedResponse};
use crate::OperatorApi;
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;

pub(crate) const OPERATION: Operation = Operation {
    examples: &[Example {
        title: "Delivered",
        request: include_str!("examples/track.request.json"),
        response: Some(include_str!("examples/track.response.json")),
    }],
    ..Operation::of_operators(
        "trackShipment",
        "/admin/v1/shipments/track",
        || web::post().to(handle),
        Document::openapi,
    )
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Report what became of a parcel
///
/// Records that a parcel was delivered or returned. A report that is late, repeated or about a void shipment changes
/// nothing: the response is the order as it is, with `Idempotent-Replayed`. If several shipments have the number and the
/// report would change more than one, it is refused, and `errors` names their ids.
#[utoipa::path(
    post,
    path = "/admin/v1/shipments/track",
    operation_id = "trackShipment",
    tag = "shipments",
    request_body(content = TrackShipment),
    responses((status = 200, description = "The shipment and its order.", body = ShippedResponse))
)]
#[tracing::instrument(name = "api.shipment.track", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<TrackShipment>,
) -> Result<HttpResponse, RequestError> {
    let (orders, by) = (&api.services.orders, request.by());
    let reach = api.reach(&request.caller);
    let shipped = orders.track_shipment(reach, &request.draft, &by).await;
    let shipped = shipped.inspect(|shipped| request.note_store_of(&shipped.order));
    let reader = by.actor.role();
    respond(shipped, request.unknown, |shipped, unknown| {
        response::shipped(shipped, unknown, reader)
    })
}
