//! Arrival and return of shipments.

use super::decision::{Context, Decision, DecisionResult};
use super::revision::Revision;
use super::shipment::{Shipment, ShipmentStatus};
use super::snapshot::Snapshot;
use super::table::Command;
use crate::event::EventType;
use crate::value::{ShipmentId, Timestamp};

pressline_kit::named! {
    /// Report of a carrier about a parcel.
    pub enum Tracking {
        /// The parcel has arrived.
        Delivered = "delivered",
        /// The parcel has come back.
        Returned = "returned",
    }
}

impl Tracking {
    /// Returns whether this report changes `shipment`. A delivered shipment can only be returned.
    pub fn moves(self, shipment: &Shipment) -> bool {
        match shipment.status {
            ShipmentStatus::Shipped => true,
            ShipmentStatus::Delivered => self == Self::Returned,
            ShipmentStatus::Returned | ShipmentStatus::Void => false,
        }
    }
}

/// Records the arrival or the return of the shipment `id` at the time `at`; `None` for now. Changes
/// nothing if the report is repeated or out of date, or if the shipment is void.
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
    // The table checks only the role: the shipment decides whether the report applies.
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
