//! Shipments that were recorded by mistake.

use super::decision::{Context, Decision, DecisionResult};
use super::revision::Revision;
use super::select::refuse;
use super::shipment::ShipmentStatus;
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::{Command, rows};
use crate::event::EventType;
use crate::id::{ItemId, ShipmentId};

/// Voids a shipment that is neither delivered nor returned. Its units and its reference are
/// available again; fulfilled items with its units return to production. Requires a reason.
///
/// # Errors
/// [`Refusal::UnknownShipment`](super::Refusal::UnknownShipment), and [`Refusal::IllegalTransition`](super::Refusal::IllegalTransition) where it has arrived.
pub fn void(order: &Snapshot, id: ShipmentId, context: &Context) -> DecisionResult {
    let mut revision = Revision::begin_with(Command::Void, order, context)?;
    let shipment = revision.shipment_mut(id)?;
    let items: Vec<ItemId> = shipment.items.iter().map(|unit| unit.id).collect();
    match shipment.status {
        ShipmentStatus::Void => return Ok(Decision::Unchanged),
        ShipmentStatus::Delivered | ShipmentStatus::Returned => {
            return Err(refuse(order, Command::Void, context, items));
        }
        ShipmentStatus::Shipped => shipment.status = ShipmentStatus::Void,
    }
    for row in rows(Command::Void, context.role()) {
        context.check_reason(row)?;
    }
    for id in items {
        if revision.is_in(id, &[ItemStatus::Fulfilled]) {
            revision.go(id, ItemStatus::InProduction);
        }
    }
    revision.finish_with(EventType::ShipmentVoided, Some(id))
}
