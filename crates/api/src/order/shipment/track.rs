//! Report the delivery or return of a parcel.

use super::request::TrackShipment;
use super::response::{self, ShippedResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Report what became of a parcel
    ///
    /// Records that a parcel was delivered or returned. A repeated report, `delivered` after
    /// `returned`, or a report about a void shipment changes nothing: the response is the shipment
    /// as it is, with `Idempotent-Replayed`. If several shipments have the `trackingNumber` and the
    /// report would change more than one, it is refused, and `errors` lists their ids.
    operator "trackShipment" at "/admin/v1/shipments/track";
    tag "shipments", span "api.shipment.track";
    errors ORDER_COMMAND [ShipmentNotFound];
    request TrackShipment;
    response ShippedResponse: "The shipment and its order.";
    example "Delivered": "examples/track" request response;
}

async fn handle(call: ByOperator, request: Request<TrackShipment>) -> Response {
    let (orders, by) = (&call.api.services.orders, call.by());
    let scope = call.scope();
    let shipped = orders.track_shipment(scope, &request.draft, &by).await;
    let shipped = shipped.inspect(|shipped| call.note_store_of(&shipped.order));
    let reader = by.actor.role();
    respond(shipped, request.unknown, |shipped, unknown| {
        response::shipped(shipped, unknown, reader)
    })
}
