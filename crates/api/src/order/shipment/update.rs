//! Change a shipment.

use super::request::UpdateShipment;
use super::response::{self, ShippedResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Change a shipment
    ///
    /// Changes values of a shipment that is not void. Absent fields remain unchanged.
    operator "updateShipment" at "/admin/v1/shipments/update";
    tag "shipments", span "api.shipment.update";
    errors ORDER_COMMAND [ShipmentNotFound, DuplicateShipment];
    request UpdateShipment;
    response ShippedResponse: "The shipment and its order.";
    example "Another tracking number": "examples/update" request response;
}

async fn handle(call: ByOperator, request: Request<UpdateShipment>) -> Response {
    let (orders, by) = (&call.api.services.orders, call.by());
    let scope = call.scope();
    let shipped = orders.update_shipment(scope, &request.draft, &by).await;
    let shipped = shipped.inspect(|shipped| call.note_store_of(&shipped.order));
    let reader = by.actor.role();
    respond(shipped, request.unknown, |shipped, unknown| {
        response::shipped(shipped, unknown, reader)
    })
}
