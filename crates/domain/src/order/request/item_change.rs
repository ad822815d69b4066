//! Changes of line items in a request to update an order.

use crate::check::{Field, IssueCode, Path, Report, flag, text};
use crate::order::LineItem;
use crate::value::ItemId;

use super::item::{ItemValues, LineItemDraft, entries, entry};

/// An entry of `line_items` in an update, as received.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, rename_all = "camelCase"))]
pub struct ItemChange {
    /// Id of the item to change; absent for a new item, which requires a `version`.
    pub app_item_id: Field<String>,
    /// Whether to remove the item.
    pub remove: Field<bool>,
    /// New values of the item.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub item: LineItemDraft,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ItemUpdate {
    Add(Box<LineItem>),
    Remove(String),
    Change { id: String, change: Box<ItemValues> },
}

/// Returns valid changes with the index of their entry. Refuses new items if `without_version`.
pub(super) fn check_changes(
    line_items: &Field<Vec<Field<ItemChange>>>,
    without_version: bool,
    new_id: &dyn Fn() -> ItemId,
    path: &Path<'_>,
    report: &mut Report,
) -> Vec<(usize, ItemUpdate)> {
    let mut seen: Vec<&str> = Vec::new();
    let mut updates = Vec::new();
    let changes = entries(line_items, path, report);
    for (i, change) in changes.into_iter().flatten().enumerate() {
        let path = path.index(i);
        let Some(change) = entry(change, &path, report) else {
            continue;
        };
        if let Some(id) = change.app_item_id.text() {
            // An id can be written in upper or lower case.
            if seen.iter().any(|other| other.eq_ignore_ascii_case(id)) {
                let message = "the same item stands twice in this update; merge the two entries";
                report.violation(&path.key("appItemId"), IssueCode::Repeated, message);
            }
            seen.push(id);
        }
        let update = change.check(without_version, new_id, &path, report);
        updates.extend(update.map(|update| (i, update)));
    }
    updates
}

impl ItemChange {
    fn check(
        &self,
        without_version: bool,
        new_id: &dyn Fn() -> ItemId,
        path: &Path<'_>,
        report: &mut Report,
    ) -> Option<ItemUpdate> {
        let id_path = path.key("appItemId");
        let id = text(&self.app_item_id, &id_path, report);
        let remove = flag(&self.remove, &path.key("remove"), report)?;
        if !self.app_item_id.is_blank() {
            // Also for a removal, so that invalid fields are reported.
            let values = self.item.values(path, report);
            if !self.item.sku.is_absent() && self.item.sku.is_blank() {
                let message = "an item's SKU cannot be cleared";
                report.violation(&path.key("sku"), IssueCode::Required, message);
            }
            let id = id?;
            return Some(if remove {
                ItemUpdate::Remove(id)
            } else {
                let change = Box::new(values);
                ItemUpdate::Change { id, change }
            });
        }
        if remove {
            report.required(&id_path, "which item to take out");
            return None;
        }
        if without_version {
            let message = "required to change an item; to add an item, send the order's `version` along, \
                           so that a repeated update cannot add it twice";
            report.violation(&id_path, IssueCode::Required, message);
        }
        let item = self.item.check(new_id(), path, report)?;
        Some(ItemUpdate::Add(Box::new(item)))
    }
}

pub(crate) fn item_id(given: &str) -> Option<ItemId> {
    given.parse().ok()
}
