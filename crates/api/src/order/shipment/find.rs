//! Find shipments by their tracking number.

use super::request::FindShipments;
use super::response::{self, ShipmentMatchList};
use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};

operation! {
    /// Find shipments
    ///
    /// Returns up to 100 shipments with the requested tracking number in all stores that you have
    /// access to, including void shipments. Shipments of the newest orders come first.
    operator "findShipments" at "/admin/v1/shipments/find";
    tag "shipments", span "api.shipment.find";
    request FindShipments;
    response ShipmentMatchList: "The shipments.";
    example "By carrier and number": "examples/find" request response;
}

async fn handle(call: ByOperator, request: Request<FindShipments>) -> Response {
    let orders = &call.api.services.orders;
    let found = orders.find_shipments(call.scope(), &request.draft).await;
    respond(found, request.unknown, response::found)
}
