//! Parcels on the page of an order.

use pressline_domain::fulfilment::{Shipment, ShipmentStatus};
use pressline_domain::order::Order;

use crate::shell::Fields;
use crate::shell::paths::order::path;

pub(super) struct ShipmentRow {
    pub(super) shipment: Shipment,
    pub(super) units: Vec<String>,
    /// Names and URLs of forms that change the shipment; empty if the operator cannot change it.
    pub(super) actions: Vec<(&'static str, String)>,
}

/// Returns the oldest shipment first. If `changes` is true, the rows link to the shipments' forms.
pub(super) fn shipments(order: &Order, changes: bool) -> Vec<ShipmentRow> {
    let shipments = order.shipments.iter();
    shipments
        .map(|shipment| row(order, shipment, changes))
        .collect()
}

fn row(order: &Order, shipment: &Shipment, changes: bool) -> ShipmentRow {
    let units = shipment.items.iter().map(|units| {
        let item = order.state.item(units.id);
        let code = item.map(|item| item.code(&order.service_order_id));
        format!("{} x {}", units.quantity, code.unwrap_or_default())
    });
    ShipmentRow {
        shipment: shipment.clone(),
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
