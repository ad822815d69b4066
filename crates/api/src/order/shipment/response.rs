//! Responses to operations on shipments.

use pressline_domain::check::Warning;
use pressline_domain::event::Role;
use pressline_domain::order::{ShipmentMatch, ShipmentMatches, Shipped};
use pressline_domain::value::{ServiceOrderId, StoreId};
use serde::Serialize;
use utoipa::ToSchema;

use crate::order::response::{OrderBody, ShipmentResponse, View};
use crate::response::{Envelope, Response, ResponseOf, Text, json, ok_or_unchanged};

pub(super) type ShippedResponse = ResponseOf<ShippedBody<'static>>;

/// A shipment and its order after the call.
#[derive(Serialize, ToSchema)]
#[schema(as = ShipmentOfOrder)]
pub(crate) struct ShippedBody<'a> {
    /// The shipment as it is now.
    shipment: ShipmentResponse<'a>,
    /// The order as it is now.
    order: OrderBody<'a>,
}

/// A shipment, with its order and store.
#[derive(Serialize, ToSchema)]
#[schema(as = ShipmentMatch)]
pub(crate) struct ShipmentMatchBody<'a> {
    /// The found shipment.
    shipment: ShipmentResponse<'a>,
    /// The service's number of the order, such as `SUN-12`.
    #[schema(value_type = String, pattern = "^[A-Z0-9]{1,12}-[0-9]+$")]
    order_id: Text<&'a ServiceOrderId>,
    /// Id of the order's store.
    #[serde(rename = "storeId")]
    #[schema(value_type = String, format = "uuid")]
    store_id: Text<StoreId>,
}

impl<'a> ShipmentMatchBody<'a> {
    fn new(shipment_match: &'a ShipmentMatch) -> Self {
        Self {
            shipment: ShipmentResponse::new(&shipment_match.shipment),
            order_id: Text(&shipment_match.service_order_id),
            store_id: Text(shipment_match.store),
        }
    }
}

pub(super) fn shipped(shipped: Shipped, unknown: Vec<Warning>, reader: Role) -> Response {
    let body = ShippedBody {
        shipment: ShipmentResponse::new(&shipped.shipment),
        order: OrderBody::stored(&shipped.order, View::Updated, reader),
    };
    let warnings = shipped.warnings.iter().cloned().chain(unknown).collect();
    ok_or_unchanged(body, shipped.replayed, warnings)
}

pub(super) fn found(matches: ShipmentMatches, unknown: Vec<Warning>) -> Response {
    let shipments: Vec<ShipmentMatchBody<'_>> = matches
        .shipments
        .iter()
        .map(ShipmentMatchBody::new)
        .collect();
    let warnings = matches.warnings.into_iter().chain(unknown).collect();
    json(&Envelope::new("OK", shipments, warnings))
}
