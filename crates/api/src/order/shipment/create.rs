//! Record a shipment.

use super::request::CreateShipment;
use super::response::{self, ShippedResponse};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Record a shipment
    ///
    /// Records a parcel with units of an order. Items in the parcel go into production if they are
    /// `ready`; an item is fulfilled when all its units are shipped.
    ///
    /// A call with the same `ref` as a recorded parcel of the order is a repetition. A call without
    /// `ref` is a repetition if `carrier` and `trackingNumber` are the same. The response to a
    /// repetition is the recorded shipment, with `Idempotent-Replayed`; different content is
    /// refused with `duplicate_shipment`.
    operator "createShipment" at "/admin/v1/shipments/create";
    tag "shipments", span "api.shipment.create";
    errors ITEM_COMMAND [DuplicateShipment];
    request CreateShipment;
    response ShippedResponse: "The shipment and its order.";
    example "Six of ten units": "examples/create" request response;
}

async fn handle(call: ByOperator, request: Request<CreateShipment>) -> Response {
    let (orders, by) = (&call.api.services.orders, call.by());
    let scope = call.scope();
    let shipped = orders.create_shipment(scope, &request.draft, &by).await;
    let shipped = shipped.inspect(|shipped| call.note_store_of(&shipped.order));
    let reader = by.actor.role();
    respond(shipped, request.unknown, |shipped, unknown| {
        response::shipped(shipped, unknown, reader)
    })
}
