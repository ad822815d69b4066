//! Changing values of a shipment.

use super::decision::{Context, DecisionResult, Refusal};
use super::revision::Revision;
use super::select::refuse;
use super::ship::named_by;
use super::shipment::Shipment;
use super::snapshot::Snapshot;
use super::table::Command;
use crate::event::EventType;
use crate::id::ShipmentId;
use crate::time::Timestamp;

/// New values of a shipment; `None` leaves a value as it is.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ShipmentUpdate {
    /// The caller's reference.
    pub reference: Option<String>,
    /// The carrier.
    pub carrier: Option<String>,
    /// The carrier's number of the parcel.
    pub tracking_number: Option<String>,
    /// Where the parcel can be followed.
    pub tracking_url: Option<String>,
    /// When it was handed to the carrier.
    pub shipped_at: Option<Timestamp>,
}

/// Changes values of a shipment. A void one cannot be changed.
///
/// # Errors
/// [`Refusal::UnknownShipment`], [`Refusal::DuplicateShipment`] where another shipment has the new
/// reference, and [`Refusal::IllegalTransition`] for a void one.
pub fn update_shipment(
    order: &Snapshot,
    id: ShipmentId,
    update: ShipmentUpdate,
    context: &Context,
) -> DecisionResult {
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
    set(update.tracking_url, &mut shipment.tracking_url);
    shipment.shipped_at = update.shipped_at.unwrap_or(shipment.shipped_at);
    if let Some(other) = alike(order, shipment) {
        return Err(Refusal::DuplicateShipment(other));
    }
    revision.finish_with(EventType::ShipmentUpdated, Some(id))
}

/// Returns another shipment of the order with the same identity. Parts of a parcel can have one tracking
/// number, if each has a reference of its own.
fn alike(order: &Snapshot, shipment: &Shipment) -> Option<ShipmentId> {
    let mut named = named_by(order, shipment.key());
    let other =
        named.find(|other| other.id != shipment.id && other.reference == shipment.reference);
    other.map(|other| other.id)
}
