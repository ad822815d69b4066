//! Shipments arrive or come back.

use super::decision::{Context, Decision, Refusal};
use super::revision::Revision;
use super::shipment::ShipmentStatus;
use super::snapshot::Snapshot;
use super::table::Command;
use crate::event::EventType;
use crate::id::ShipmentId;
use crate::time::Timestamp;

/// What a carrier reports of a parcel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracking {
    /// It has arrived.
    Delivered,
    /// It has come back.
    Returned,
}

/// Records that a shipment has arrived or come back, at a moment (`None` for now). A repeated or
/// late message, and one about a void shipment, changes nothing.
///
/// # Errors
/// [`Refusal::UnknownShipment`].
pub fn track(
    order: &Snapshot,
    id: ShipmentId,
    tracking: Tracking,
    at: Option<Timestamp>,
    context: &Context,
) -> Result<Decision, Refusal> {
    let command = match tracking {
        Tracking::Delivered => Command::Deliver,
        Tracking::Returned => Command::Return,
    };
    let mut revision = Revision::begin_with(command, order, context)?;
    let at = at.unwrap_or(context.now);
    let mut shipments = revision.parts.shipments.iter_mut();
    let Some(shipment) = shipments.find(|shipment| shipment.id == id) else {
        return Err(Refusal::UnknownShipment);
    };
    let kind = match (shipment.status, tracking) {
        (ShipmentStatus::Shipped, Tracking::Delivered) => {
            shipment.status = ShipmentStatus::Delivered;
            shipment.delivered_at = Some(at);
            EventType::ShipmentDelivered
        }
        (ShipmentStatus::Shipped | ShipmentStatus::Delivered, Tracking::Returned) => {
            shipment.status = ShipmentStatus::Returned;
            shipment.returned_at = Some(at);
            EventType::ShipmentReturned
        }
        _ => return Ok(Decision::AlreadySo),
    };
    revision.finish_with(kind, Some(id))
}
