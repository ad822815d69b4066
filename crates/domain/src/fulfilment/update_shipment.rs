//! Changes of the values of a shipment.

use super::decision::{Context, DecisionResult, Refusal};
use super::revision::Revision;
use super::select::refuse;
use super::shipment::Shipment;
use super::snapshot::Snapshot;
use super::table::Command;
use super::tracking_number::number_in_barcode;
use crate::event::EventType;
use crate::value::{ShipmentId, Timestamp};

/// Values of a shipment to record or to change; in a change, `None` keeps the stored value.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ShipmentUpdate {
    /// Reference that the caller chose; `None` if not given.
    pub reference: Option<String>,
    /// Name of the carrier; `None` if not given.
    pub carrier: Option<String>,
    /// Tracking number of the parcel; `None` if not given.
    pub tracking_number: Option<String>,
    /// URL of the tracking page; `None` if not given.
    pub tracking_url: Option<String>,
    /// Time of the handover to the carrier; `None` if not given.
    pub shipped_at: Option<Timestamp>,
}

/// Changes values of the shipment `id`.
///
/// # Errors
/// [`Refusal::UnknownShipment`] if the order has no shipment `id`; [`Refusal::DuplicateShipment`]
/// if another shipment has the same reference or, without references, the same carrier and tracking
/// number; [`Refusal::IllegalTransition`] if the shipment is void.
pub fn update_shipment(
    order: &Snapshot,
    id: ShipmentId,
    update: ShipmentUpdate,
    context: &Context,
) -> DecisionResult {
    // Changing a shipment needs the same role as recording it.
    let mut revision = Revision::begin_with(Command::Ship, order, context)?;
    let shipment = revision.shipment_mut(id)?;
    if !shipment.counts() {
        let items = shipment.items.iter().map(|unit| unit.id).collect();
        return Err(refuse(order, Command::Ship, context, items));
    }
    let set = |value: Option<String>, field: &mut Option<String>| {
        if value.is_some() {
            *field = value;
        }
    };
    set(update.reference, &mut shipment.reference);
    set(update.carrier, &mut shipment.carrier);
    set(update.tracking_number, &mut shipment.tracking_number);
    // The barcode may have been given without the carrier, or before it.
    let number = shipment.tracking_number.as_deref();
    set(
        number.and_then(|number| number_in_barcode(shipment.carrier.as_deref(), number)),
        &mut shipment.tracking_number,
    );
    set(update.tracking_url, &mut shipment.tracking_url);
    shipment.shipped_at = update.shipped_at.unwrap_or(shipment.shipped_at);
    if let Some(other) = alike(order, shipment) {
        return Err(Refusal::DuplicateShipment(other));
    }
    revision.finish_with(EventType::ShipmentUpdated, Some(id))
}

/// Returns another shipment with the same reference or, if both have none, carrier and tracking
/// number. Shipments with different references can have the same tracking number.
fn alike(order: &Snapshot, shipment: &Shipment) -> Option<ShipmentId> {
    let mut shipments = order.named_by(shipment.key());
    let other =
        shipments.find(|other| other.id != shipment.id && other.reference == shipment.reference);
    other.map(|other| other.id)
}
