//! Records shipments.

use super::decision::{Context, Decision, DecisionResult, Refusal};
use super::revision::Revision;
use super::select::{Effect, row_for, select, select_by_table};
use super::shipment::{Shipment, ShipmentKey, ShipmentStatus, ShippedUnits};
use super::snapshot::{Snapshot, SnapshotParts};
use super::status::ItemStatus;
use super::table::Command;
use super::tracking_number::is_same_number;
use super::update_shipment::ShipmentUpdate;
use crate::check::{IssueCode, limits};
use crate::event::EventType;
use crate::value::{ItemId, ShipmentId};

/// A shipment to record: a parcel with units of an order.
#[derive(Clone, Debug, PartialEq)]
pub struct ShipCommand {
    /// Id of the new shipment.
    pub id: ShipmentId,
    /// Units of each item; `None` for all unshipped units of items ready or in production.
    pub items: Option<Vec<ShippedUnits>>,
    /// Values of the shipment. Without `shipped_at`, the time of the command is stored. To detect a
    /// repeated command, values other than `None` are compared with the stored shipments.
    pub values: ShipmentUpdate,
}

/// Records a shipment of `order`. Items in the shipment move to `in-production` or, with all units
/// shipped, to `fulfilled`. If the order already has a shipment with the same reference or, without
/// a reference, the same carrier and tracking number, nothing changes.
///
/// # Errors
/// [`Refusal::DuplicateShipment`] if that shipment has other content; [`Refusal::Invalid`] if there
/// are too many shipments or a quantity is out of range; [`Refusal::UnknownItem`] or
/// [`Refusal::IllegalTransition`] if items cannot be shipped.
pub fn ship(order: &Snapshot, command: &ShipCommand, context: &Context) -> DecisionResult {
    if let Some(stored) = command.repeated(order) {
        return if command.is_of(stored) {
            Ok(Decision::Unchanged)
        } else {
            Err(Refusal::DuplicateShipment(stored.id))
        };
    }
    // A repetition adds no shipment, so repetitions are detected before this check.
    if order.shipments.len() >= limits::SHIPMENTS {
        let message = format!("the order can have at most {} shipments", limits::SHIPMENTS);
        return Err(Refusal::invalid("order_id", IssueCode::TooLong, message));
    }
    let mut revision = Revision::begin(order, context)?;
    let units = match &command.items {
        None => all_units(order, context)?,
        Some(units) => checked_units(order, units, context)?,
    };
    // Units can be shipped without a `start`, so the item passes through `in-production` here.
    for unit in &units {
        if revision.is_in(unit.id, &[ItemStatus::Ready]) {
            revision.go(unit.id, ItemStatus::InProduction);
        }
    }
    let values = command.values.clone();
    revision.parts.shipments.push(Shipment {
        id: command.id,
        reference: values.reference,
        carrier: values.carrier,
        tracking_number: values.tracking_number,
        tracking_url: values.tracking_url,
        status: ShipmentStatus::Shipped,
        items: units,
        shipped_at: values.shipped_at.unwrap_or(context.now),
        delivered_at: None,
        returned_at: None,
    });
    revision.finish_with(EventType::ShipmentCreated, Some(command.id))
}

impl ShipCommand {
    /// Returns the shipment with the same reference or, without it, carrier and tracking number.
    pub fn repeated<'a>(&self, order: &'a SnapshotParts) -> Option<&'a Shipment> {
        let key = ShipmentKey {
            reference: self.values.reference.as_deref(),
            carrier: self.values.carrier.as_deref(),
            tracking_number: self.values.tracking_number.as_deref(),
        };
        let shipments = || order.named_by(key);
        // Parts of a parcel with different references can have the same tracking number.
        shipments()
            .find(|shipment| self.is_of(shipment))
            .or_else(|| shipments().next())
    }

    fn is_of(&self, stored: &Shipment) -> bool {
        fn agrees<T: PartialEq>(given: &Option<T>, stored: &Option<T>) -> bool {
            given.is_none() || given == stored
        }
        let has_units = |units: &Vec<ShippedUnits>| {
            units.len() == stored.items.len()
                && units.iter().all(|unit| stored.items.contains(unit))
        };
        let values = &self.values;
        let carrier = values.carrier.as_deref();
        let number = values.tracking_number.as_deref();
        let stored_number = stored.tracking_number.as_deref();
        agrees(&values.reference, &stored.reference)
            && carrier.is_none_or(|carrier| stored.is_sent_by(carrier))
            && number.is_none_or(|number| is_same_number(Some(number), stored_number))
            && agrees(&values.tracking_url, &stored.tracking_url)
            && agrees(&values.shipped_at, &Some(stored.shipped_at))
            && self.items.as_ref().is_none_or(has_units)
    }
}

fn all_units(order: &Snapshot, context: &Context) -> Result<Vec<ShippedUnits>, Refusal> {
    let selected = select(order, None, Command::Ship, context, |item| {
        match row_for(order, item, Command::Ship, context) {
            Some(_) if order.unshipped(item.id) > 0 => Effect::Moves,
            _ => Effect::Illegal,
        }
    })?;
    let items = selected.unwrap_or_default();
    let units = items.into_iter().map(|id| ShippedUnits {
        id,
        quantity: order.unshipped(id),
    });
    Ok(units.collect())
}

fn checked_units(
    order: &Snapshot,
    units: &[ShippedUnits],
    context: &Context,
) -> Result<Vec<ShippedUnits>, Refusal> {
    if units.is_empty() {
        return Err(Refusal::required("line_items", "at least one item"));
    }
    let ids: Vec<ItemId> = units.iter().map(|unit| unit.id).collect();
    // Refuses the command unless all units can be shipped.
    select_by_table(order, Some(&ids), Command::Ship, context, |_| false)?;
    for (place, unit) in units.iter().enumerate() {
        let field = format!("line_items[{place}].quantity");
        let left = order.unshipped(unit.id);
        if ids.iter().filter(|id| **id == unit.id).count() > 1 {
            let message = "the same item is named twice; add the quantities up";
            let field = format!("line_items[{place}].appItemId");
            return Err(Refusal::invalid(&field, IssueCode::Repeated, message));
        }
        if unit.quantity == 0 || unit.quantity > left {
            let message = match left {
                0 => "no unit is left to ship".to_owned(),
                _ => format!("{} units; 1 to {left} are left to ship", unit.quantity),
            };
            return Err(Refusal::invalid(&field, IssueCode::OutOfRange, message));
        }
    }
    Ok(units.to_vec())
}
