//! Parcels on the page of an order.

use pressline_backoffice::operator::ZoneName;
use pressline_domain::fulfilment::{Shipment, ShipmentStatus};
use pressline_domain::order::Order;

use crate::shell::form::Fields;
use crate::shell::paths::order::path;
use crate::shell::time::When;
use crate::shell::view::{Chip, Foreign};

pub(super) struct ShipmentRow {
    pub(super) chip: Chip,
    pub(super) carrier: String,
    pub(super) number: Foreign,
    pub(super) reference: String,
    pub(super) shipped: When,
    pub(super) arrived: Option<When>,
    pub(super) units: Vec<String>,
    /// Names with URLs.
    pub(super) actions: Vec<(&'static str, String)>,
}

/// Returns the shipments of `order`, oldest first. `changes` is true if the operator may change
/// them.
pub(super) fn shipments(order: &Order, changes: bool, zone: &ZoneName) -> Vec<ShipmentRow> {
    let shipments = order.shipments.iter();
    shipments
        .map(|shipment| row(order, shipment, changes, zone))
        .collect()
}

fn row(order: &Order, shipment: &Shipment, changes: bool, zone: &ZoneName) -> ShipmentRow {
    let number = shipment.tracking_number.clone().unwrap_or_default();
    let address = shipment.tracking_address();
    let units = shipment.items.iter().map(|units| {
        let item = order.state.item(units.id);
        let code = item.map(|item| item.code(&order.service_order_id));
        format!("{} x {}", units.quantity, code.unwrap_or_default())
    });
    let arrived = shipment.returned_at.or(shipment.delivered_at);
    ShipmentRow {
        chip: Chip::from(shipment.status),
        carrier: shipment.carrier.clone().unwrap_or_default(),
        number: Foreign::named(address.as_deref().unwrap_or_default(), &number),
        reference: shipment.reference.clone().unwrap_or_default(),
        shipped: When::in_zone(shipment.shipped_at, zone),
        arrived: arrived.map(|arrived| When::in_zone(arrived, zone)),
        units: units.collect(),
        actions: if changes {
            shipment_actions(order, shipment)
        } else {
            Vec::new()
        },
    }
}

fn shipment_actions(order: &Order, shipment: &Shipment) -> Vec<(&'static str, String)> {
    let order_path = path(&order.service_order_id.to_string());
    let (id, folder) = (shipment.id.to_string(), format!("{order_path}/shipments"));
    let address = |action: &str, status: &str| {
        let fields = Fields::new([("shipmentId", id.as_str()), ("status", status)]);
        fields.without(&[]).address(&format!("{folder}/{action}"))
    };
    let delivered = ("Mark delivered", address("track", "delivered"));
    let returned = ("Mark returned", address("track", "returned"));
    let void = ("Void shipment", address("void", ""));
    match shipment.status {
        ShipmentStatus::Shipped => vec![delivered, returned, void],
        ShipmentStatus::Delivered => vec![returned],
        ShipmentStatus::Returned | ShipmentStatus::Void => Vec::new(),
    }
}
