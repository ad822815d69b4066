//! Shipments arrive or come back.

use super::decision::{Context, Decision, DecisionResult};
use super::revision::Revision;
use super::shipment::{Shipment, ShipmentStatus};
use super::snapshot::Snapshot;
use super::table::Command;
use crate::event::EventType;
use crate::id::ShipmentId;
use crate::time::Timestamp;

pressline_kit::named! {
    /// What a carrier reports of a parcel.
    pub enum Tracking {
        /// It has arrived.
        Delivered = "delivered",
        /// It has come back.
        Returned = "returned",
    }
}

impl Tracking {
    /// Returns whether the report changes a shipment: it is neither repeated nor late, nor about a
    /// void one.
    pub fn moves(self, shipment: &Shipment) -> bool {
        match shipment.status {
            ShipmentStatus::Shipped => true,
            ShipmentStatus::Delivered => self == Self::Returned,
            ShipmentStatus::Returned | ShipmentStatus::Void => false,
        }
    }
}

/// Records that a shipment has arrived or come back, at a moment (`None` for now). A repeated or
/// late message, and one about a void shipment, changes nothing.
pub fn track(
    order: &Snapshot,
    id: ShipmentId,
    tracking: Tracking,
    at: Option<Timestamp>,
    context: &Context,
) -> DecisionResult {
    let command = match tracking {
        Tracking::Delivered => Command::Deliver,
        Tracking::Returned => Command::Return,
    };
    let mut revision = Revision::begin_with(command, order, context)?;
    let at = at.unwrap_or(context.now);
    let shipment = revision.shipment_mut(id)?;
    if !tracking.moves(shipment) {
        return Ok(Decision::Unchanged);
    }
    let kind = match tracking {
        Tracking::Delivered => {
            shipment.status = ShipmentStatus::Delivered;
            shipment.delivered_at = Some(at);
            EventType::ShipmentDelivered
        }
        Tracking::Returned => {
            shipment.status = ShipmentStatus::Returned;
            shipment.returned_at = Some(at);
            EventType::ShipmentReturned
        }
    };
    revision.finish_with(kind, Some(id))
}
