//! Voiding of shipments: they were recorded by mistake.

use super::decision::{Context, Decision, DecisionResult};
use super::revision::Revision;
use super::select::refuse;
use super::shipment::ShipmentStatus;
use super::snapshot::Snapshot;
use super::status::ItemStatus;
use super::table::{Command, transitions};
use crate::event::EventType;
use crate::value::{ItemId, ShipmentId};

/// Marks the shipment `id` as void, because it was recorded by mistake. Its units can then be
/// shipped again, and its reference used again. `fulfilled` items in the shipment return to
/// `in-production`. Requires a reason.
///
/// # Errors
/// - [`Refusal::UnknownShipment`](super::Refusal::UnknownShipment) if the order has no shipment
///   `id`.
/// - [`Refusal::IllegalTransition`](super::Refusal::IllegalTransition) if the shipment is delivered
///   or returned.
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
    // Checked by hand: the shipment, not an item, decides whether the command is legal.
    for row in transitions(Command::Void, context.role()) {
        context.check_reason(row)?;
    }
    for id in items {
        if revision.is_in(id, &[ItemStatus::Fulfilled]) {
            revision.go(id, ItemStatus::InProduction);
        }
    }
    revision.finish_with(EventType::ShipmentVoided, Some(id))
}
