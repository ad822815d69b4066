//! Operations on shipments.

use pressline_domain::check::Warning;
use pressline_domain::order::{OrderError, Shipped};

use super::request::{CreateShipment, FindShipments, TrackShipment, UpdateShipment, VoidShipment};
use super::response::{self, ShipmentMatchBody, ShippedResponse};
use crate::caller::ByOperator;
use crate::operation::operations;
use crate::request::Request;
use crate::response::{ListOf, Response, respond};

operations! {
    const OPERATIONS;

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
    tag "shipments", span "api.shipment.create", handler create;
    errors ITEM_COMMAND [DuplicateShipment];
    request CreateShipment;
    response ShippedResponse: "The shipment and its order.";
    example "Six of ten units": "examples/create" request response;

    /// Change a shipment
    ///
    /// Changes values of a shipment that is not void. Absent fields remain unchanged.
    operator "updateShipment" at "/admin/v1/shipments/update";
    tag "shipments", span "api.shipment.update", handler update;
    errors ORDER_COMMAND [ShipmentNotFound, DuplicateShipment];
    request UpdateShipment;
    response ShippedResponse: "The shipment and its order.";
    example "Another tracking number": "examples/update" request response;

    /// Void a shipment
    ///
    /// Voids a shipment that was recorded by mistake. Its units and its `ref` become available
    /// again; fulfilled items return to production. Not possible after the shipment was delivered
    /// or returned.
    operator "voidShipment" at "/admin/v1/shipments/void";
    tag "shipments", span "api.shipment.void", handler void;
    errors ORDER_COMMAND [ShipmentNotFound];
    request VoidShipment;
    response ShippedResponse: "The shipment and its order.";
    example "The wrong parcel": "examples/void" request response;

    /// Report what became of a parcel
    ///
    /// Records that a parcel was delivered or returned. A repeated report, `delivered` after
    /// `returned`, or a report about a void shipment changes nothing: the response is the shipment
    /// as it is, with `Idempotent-Replayed`. If several shipments have the `trackingNumber` and the
    /// report would change more than one, it is refused, and `errors` lists their ids.
    operator "trackShipment" at "/admin/v1/shipments/track";
    tag "shipments", span "api.shipment.track", handler track;
    errors ORDER_COMMAND [ShipmentNotFound];
    request TrackShipment;
    response ShippedResponse: "The shipment and its order.";
    example "Delivered": "examples/track" request response;

    /// Find shipments
    ///
    /// Returns up to 100 shipments with the requested tracking number in all stores that you have
    /// access to, including void shipments. Shipments of the newest orders come first.
    operator "findShipments" at "/admin/v1/shipments/find";
    tag "shipments", span "api.shipment.find", handler find;
    request FindShipments;
    response ListOf<ShipmentMatchBody<'static>>: "The shipments.";
    example "By carrier and number": "examples/find" request response;
}

async fn create(call: ByOperator, request: Request<CreateShipment>) -> Response {
    let (orders, scope, by) = (&call.api.services.orders, call.scope(), call.by());
    let shipped = orders
        .ship
        .create_shipment(scope, &request.draft, &by)
        .await;
    respond_shipped(&call, shipped, request.unknown)
}

async fn update(call: ByOperator, request: Request<UpdateShipment>) -> Response {
    let (orders, scope, by) = (&call.api.services.orders, call.scope(), call.by());
    let shipped = orders
        .ship
        .update_shipment(scope, &request.draft, &by)
        .await;
    respond_shipped(&call, shipped, request.unknown)
}

async fn void(call: ByOperator, request: Request<VoidShipment>) -> Response {
    let (orders, scope, by) = (&call.api.services.orders, call.scope(), call.by());
    let shipped = orders.ship.void_shipment(scope, &request.draft, &by).await;
    respond_shipped(&call, shipped, request.unknown)
}

async fn track(call: ByOperator, request: Request<TrackShipment>) -> Response {
    let (orders, scope, by) = (&call.api.services.orders, call.scope(), call.by());
    let shipped = orders.ship.track_shipment(scope, &request.draft, &by).await;
    respond_shipped(&call, shipped, request.unknown)
}

async fn find(call: ByOperator, request: Request<FindShipments>) -> Response {
    let orders = &call.api.services.orders;
    let result = orders
        .read
        .find_shipments(call.scope(), &request.draft)
        .await;
    respond(result, request.unknown, response::found)
}

fn respond_shipped(
    call: &ByOperator,
    shipped: Result<Shipped, OrderError>,
    unknown: Vec<Warning>,
) -> Response {
    let reader = call.caller.operator.actor().role();
    let shipped = shipped.inspect(|shipped| call.note_store_of(&shipped.order));
    respond(shipped, unknown, |shipped, unknown| {
        response::shipped(shipped, unknown, reader)
    })
}
