//! Undoes events, to restore an order at an earlier version.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

use super::change::{FieldChange, Value};
use super::fields::{Fields, set_content};
use super::{Event, EventType, NewEvent};
use crate::check::checked::Invalid;
use crate::fulfilment::{BrokenSnapshot, Snapshot, SnapshotParts};
use crate::order::OrderParts;

/// Reason why an event cannot be undone: it does not fit the order, or the data is damaged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UndoError {
    /// The event to undo is not the latest event of the order.
    #[error("event of version {event} is not the latest of an order at version {order}")]
    NotTheLatest {
        /// Version of the order right after the event to undo.
        event: u32,
        /// Version of the given order, lower than `event`.
        order: u32,
    },
    /// The event created the order, so there is no earlier version.
    #[error("the creation of an order cannot be undone")]
    Creation,
    /// The order has no field at this path, or the field has another type than the old value.
    #[error("the change of `{0}` cannot be undone")]
    Field(String),
    /// An event to undo is missing, or the order has not reached the requested version yet.
    #[error("an event of the order is missing")]
    Missing,
    /// The order before the event would break a rule.
    #[error("the order before the event breaks a rule")]
    Broken(#[source] Invalid<BrokenSnapshot>),
}

/// Returns the order as it was right after its latest event, `event`. Only the version can differ
/// from `order`: versions are skipped, without an event, after the database was restored.
///
/// # Errors
/// [`UndoError::NotTheLatest`] if `event` made a higher version than `order` has.
pub fn right_after<'o>(
    order: &'o Snapshot,
    event: &NewEvent,
) -> Result<Cow<'o, Snapshot>, UndoError> {
    match event.version.cmp(&order.state.version) {
        Ordering::Equal => Ok(Cow::Borrowed(order)),
        Ordering::Less => {
            let mut parts = SnapshotParts::clone(order);
            parts.state.version = event.version;
            // No rule depends on the version.
            Ok(Cow::Owned(Snapshot::constant(parts)))
        }
        Ordering::Greater => Err(UndoError::NotTheLatest {
            event: event.version,
            order: order.state.version,
        }),
    }
}

/// Returns the order as it was before its latest event, `event`.
///
/// # Errors
/// Same errors as [`right_after`]; the other variants of [`UndoError`] if `event` does not fit.
pub fn undo(order: &Snapshot, event: &NewEvent) -> Result<Snapshot, UndoError> {
    let order = right_after(order, event)?;
    let version = order.state.version;
    let previous = event.previous.ok_or(UndoError::Creation)?;
    let mut parts = SnapshotParts::clone(&order);
    // Fast-forwarding a test store's clock does not make an event, so it is undone first.
    parts.undo_advance();
    for moved in &event.items {
        // An added item has no old status; the change below removes it.
        if let Some((item, old)) = parts.state.item_mut(moved.id).zip(moved.old) {
            item.status = old;
        }
    }
    for change in &event.changes {
        undo_change(&mut parts, change).ok_or_else(|| UndoError::Field(change.path.clone()))?;
    }
    // The event contains the new shipment instead of changes, and shipments are appended.
    if event.kind == EventType::ShipmentCreated {
        parts.shipments.pop();
    }
    parts.state.version = version.saturating_sub(1);
    parts.state.updated_at = previous.at;
    parts.state.last_sequence = previous.sequence;
    parts.update_derived();
    Snapshot::new(parts).map_err(UndoError::Broken)
}

/// Returns `order` as it was at `version`. `events` are the order's events, newest first; events of
/// `version` and earlier are not needed.
///
/// # Errors
/// Same errors as [`undo`]; [`UndoError::Missing`] if `events` ends early or `version` is too late.
pub fn at_version<'a>(
    order: &Snapshot,
    events: impl IntoIterator<Item = &'a Event>,
    version: u32,
) -> Result<Snapshot, UndoError> {
    let mut order = order.after_latest_event().into_owned();
    let mut events = events.into_iter();
    while order.state.version > version {
        let event = &events.next().ok_or(UndoError::Missing)?.event;
        order = right_after(&order, event)?.into_owned();
        if order.state.version > version {
            order = undo(&order, event)?;
        }
    }
    if order.state.version == version {
        Ok(order)
    } else {
        Err(UndoError::Missing)
    }
}

/// Splits `name[id].field`. The field is `None` for `name[id]`. Returns `None` without `[id]`.
fn entry_of(path: &str) -> Option<(&str, &str, Option<&str>)> {
    let (name, from_id) = path.split_once('[')?;
    let (id, rest) = from_id.split_once(']')?;
    Some((name, id, rest.strip_prefix('.')))
}

fn undo_change(parts: &mut SnapshotParts, change: &FieldChange) -> Option<()> {
    match entry_of(&change.path) {
        Some(("childDetails", id, Some(field))) => {
            let id = id.parse().ok()?;
            // An item's state and content have no field name in common.
            let state = parts.state.item_mut(id)?;
            if state.set(field, &change.old).is_some() {
                return Some(());
            }
            let items = &mut content_mut(parts).items;
            let line = items.iter_mut().find(|item| item.id == id)?;
            line.set(field, &change.old)
        }
        Some(("childDetails", _, None)) => undo_item(parts, change),
        Some(("shipments", id, Some(field))) => {
            let id = id.parse().ok()?;
            let mut shipments = parts.shipments.iter_mut();
            let shipment = shipments.find(|shipment| shipment.id == id)?;
            shipment.set(field, &change.old)
        }
        // Operators only ever add fee lines, so the last line belongs to the latest event.
        Some(("feeLines", _, None)) => parts.corrections.pop().map(|_| ()),
        Some(_) => None,
        // State and content have no field name in common.
        None => (parts.state.set(&change.path, &change.old))
            .or_else(|| set_content(content_mut(parts), &change.path, &change.old)),
    }
}

fn undo_item(parts: &mut SnapshotParts, change: &FieldChange) -> Option<()> {
    match (&change.old, &change.new) {
        (Value::None, Value::Item(added)) => {
            let id = added.line.id;
            content_mut(parts).items.retain(|item| item.id != id);
            parts.state.items.retain(|item| item.id != id);
        }
        (Value::Item(removed), Value::None) => {
            // `insert` panics beyond the end of a list.
            if removed.place > parts.content.items.len().min(parts.state.items.len()) {
                return None;
            }
            let items = &mut content_mut(parts).items;
            items.insert(removed.place, removed.line.clone());
            let states = &mut parts.state.items;
            states.insert(removed.place, removed.state.clone());
        }
        _ => return None,
    }
    Some(())
}

fn content_mut(parts: &mut SnapshotParts) -> &mut OrderParts {
    Arc::make_mut(&mut parts.content)
}
