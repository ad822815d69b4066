//! Differences between two snapshots of an order.

use std::sync::Arc;

use super::change::{FieldChange, FieldValue, PlacedItem, Value, item_path};
use super::fields::{Fields, compare_content};
use super::{EventType, ItemMove};
use crate::fulfilment::SnapshotParts;
use crate::value::ItemId;

pub(crate) struct Difference {
    /// Items with a changed status, and items in only one of the two snapshots.
    pub(crate) items: Vec<ItemMove>,
    pub(crate) changes: Vec<FieldChange>,
}

/// Returns the changes that an event of type `kind` needs, so that undoing it restores `old`.
pub(crate) fn difference(old: &SnapshotParts, new: &SnapshotParts, kind: EventType) -> Difference {
    let mut difference = Difference {
        items: Vec::new(),
        changes: Vec::new(),
    };
    // Added items come first, then removed items by position: undoing needs this order.
    for (place, id) in ids(new).enumerate() {
        if old.state.item(id).is_none() {
            difference.whole_item(new, place, true);
        }
    }
    for (place, id) in ids(old).enumerate() {
        if new.state.item(id).is_none() {
            difference.whole_item(old, place, false);
        } else {
            difference.item(old, new, id);
        }
    }
    // Commands that only move items keep the content, so most comparisons end here.
    if !Arc::ptr_eq(&old.content, &new.content) {
        compare_content(&old.content, &new.content, &mut difference.changes);
    }
    old.state.compare(&new.state, "", &mut difference.changes);
    difference.shipments(old, new, kind);
    // Corrections are only ever added, so the additional entries of `new` are the whole difference.
    for added in new.corrections.iter().skip(old.corrections.len()) {
        difference.changes.push(FieldChange {
            path: format!("feeLines[{}]", added.id),
            old: Value::None,
            new: added.to_value(),
        });
    }
    difference
}

fn ids(snapshot: &SnapshotParts) -> impl Iterator<Item = ItemId> {
    snapshot.state.items.iter().map(|item| item.id)
}

impl Difference {
    fn whole_item(&mut self, snapshot: &SnapshotParts, place: usize, is_new: bool) {
        let pair = snapshot.content.items.get(place);
        let Some((line, state)) = pair.zip(snapshot.state.items.get(place)) else {
            return;
        };
        let item = PlacedItem {
            place,
            line: line.clone(),
            state: state.clone(),
        };
        let (id, status) = (line.id, Some(state.status));
        let (gone, added) = ((status, item.to_value()), (None, Value::None));
        let (before, after) = if is_new { (added, gone) } else { (gone, added) };
        let (old, new) = (before.0, after.0);
        self.items.push(ItemMove { id, old, new });
        let (old, new) = (before.1, after.1);
        let path = item_path(id);
        self.changes.push(FieldChange { path, old, new });
    }

    fn item(&mut self, old: &SnapshotParts, new: &SnapshotParts, id: ItemId) {
        let prefix = format!("{}.", item_path(id));
        if let Some((before, after)) = old.state.item(id).zip(new.state.item(id)) {
            if before.status != after.status {
                let (old, new) = (Some(before.status), Some(after.status));
                self.items.push(ItemMove { id, old, new });
            }
            before.compare(after, &prefix, &mut self.changes);
        }
        if Arc::ptr_eq(&old.content, &new.content) {
            return;
        }
        if let Some((before, after)) = old.line(id).zip(new.line(id)) {
            before.compare(after, &prefix, &mut self.changes);
        }
    }

    /// Adds nothing for [`EventType::ShipmentCreated`]: that event contains the new shipment.
    fn shipments(&mut self, old: &SnapshotParts, new: &SnapshotParts, kind: EventType) {
        if kind == EventType::ShipmentCreated {
            return;
        }
        for (before, after) in old.shipments.iter().zip(&new.shipments) {
            let prefix = format!("shipments[{}].", before.id);
            before.compare(after, &prefix, &mut self.changes);
        }
    }
}
