//! Void a shipment.

use super::request::VoidShipment;
use super::response::{self, ShippedResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Void a shipment
    ///
    /// Voids a shipment that was recorded by mistake. Its units and its `ref` become available
    /// again; fulfilled items return to production. Not possible after the shipment was delivered
    /// or returned.
    operator "voidShipment" at "/admin/v1/shipments/void";
    tag "shipments", span "api.shipment.void";
    errors ORDER_COMMAND [ShipmentNotFound];
    request VoidShipment;
    response ShippedResponse: "The shipment and its order.";
    example "The wrong parcel": "examples/void" request response;
}

async fn handle(call: ByOperator, request: Request<VoidShipment>) -> Response {
    let (orders, by) = (&call.api.services.orders, call.by());
    let scope = call.scope();
    let shipped = orders.void_shipment(scope, &request.draft, &by).await;
    let shipped = shipped.inspect(|shipped| call.note_store_of(&shipped.order));
    let reader = by.actor.role();
    respond(shipped, request.unknown, |shipped, unknown| {
        response::shipped(shipped, unknown, reader)
    })
}
