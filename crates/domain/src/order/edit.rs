//! Applies an update to the items of an order.

use super::priced::ItemPosition;
use super::request::{ItemUpdate, ItemValues, OptionalChange, item_id, unknown_item};
use super::{LineItem, OrderError, OrderParts};
use crate::check::{IssueCode, Path, Report, limits};

type EditedItem = (LineItem, Option<ItemPosition>);

/// Returns the stored items in their sequence, then the new items, each with its position in the
/// request (`None` if the request does not name it). `updates` has indexes in `line_items`.
pub(super) fn edit(
    parts: &OrderParts,
    updates: Vec<(usize, ItemUpdate)>,
    report: &mut Report,
) -> Result<(Vec<LineItem>, Vec<Option<ItemPosition>>), OrderError> {
    // Unknown items are collected apart from `report`, because they are an error of their own.
    let mut unknown = Report::default();
    let mut stored: Vec<Option<EditedItem>> = parts
        .items
        .iter()
        .map(|item| Some((item.clone(), None)))
        .collect();
    let mut added = Vec::new();
    for (index, update) in updates {
        let (id, change) = match update {
            ItemUpdate::Add(item) => {
                added.push((*item, ItemPosition::of_new(index)));
                continue;
            }
            ItemUpdate::Remove(id) => (id, None),
            ItemUpdate::Change { id, change } => (id, Some(change)),
        };
        let position =
            item_id(&id).and_then(|id| parts.items.iter().position(|item| item.id == id));
        let Some(place) = position.and_then(|position| stored.get_mut(position)) else {
            unknown_item(index, &mut unknown);
            continue;
        };
        // A removed item leaves a gap, so that the positions of the other items stay valid.
        *place = place.take().zip(change).map(|((mut item, _), change)| {
            let binding = change.chooses_product(&item);
            change.apply(&mut item);
            (item, Some(ItemPosition { index, binding }))
        });
    }
    if !unknown.violations.is_empty() {
        return Err(OrderError::UnknownItem(unknown.violations));
    }
    let edited: (Vec<_>, Vec<_>) = stored.into_iter().flatten().chain(added).unzip();
    check_count(edited.0.len(), report);
    report.check()?;
    Ok(edited)
}

fn check_count(items: usize, report: &mut Report) {
    let list = Path::Root.key("line_items");
    if items == 0 {
        let message = "the order must keep at least one item";
        report.violation(&list, IssueCode::OutOfRange, message);
    }
    if items > limits::LINE_ITEMS {
        let limit = limits::LINE_ITEMS;
        let message = format!("{items} line items then; at most {limit} in one order");
        report.violation(&list, IssueCode::TooLong, message);
    }
}

impl ItemValues {
    /// Ignores equal values, because an earlier request with the values was accepted.
    fn chooses_product(&self, item: &LineItem) -> bool {
        let other_sku = self.sku.as_ref().is_some_and(|sku| *sku != item.sku);
        let other_class = match &self.ship_class {
            OptionalChange::Set(class) => *class != item.ship_class,
            OptionalChange::Keep => false,
        };
        other_sku || other_class
    }

    fn apply(self, item: &mut LineItem) {
        let sku_changes = self.sku.as_ref().is_some_and(|sku| *sku != item.sku);
        replace_name(self.name, sku_changes, item);
        self.ref_id.apply(&mut item.ref_id);
        self.ship_class.apply(&mut item.ship_class);
        item.sku = self.sku.unwrap_or_else(|| std::mem::take(&mut item.sku));
        item.quantity = self.quantity.unwrap_or(item.quantity);
        item.file_urls = self
            .file_urls
            .unwrap_or_else(|| std::mem::take(&mut item.file_urls));
        item.mockup_images = self
            .mockup_images
            .unwrap_or_else(|| std::mem::take(&mut item.mockup_images));
    }
}

/// A name that becomes `None` is set by pricing. A new SKU removes a name from the catalog.
fn replace_name(change: OptionalChange<String>, sku_changes: bool, item: &mut LineItem) {
    match change {
        // A client that sends back the name that it has read has not chosen a name.
        OptionalChange::Set(name) if !sku_changes && name.is_some() && name == item.name => {}
        // Only a name that the store gave can be cleared.
        OptionalChange::Set(None) if !sku_changes && !item.name_given => {}
        OptionalChange::Set(name) => {
            item.name_given = name.is_some();
            item.name = name;
        }
        // A name from the catalog belongs to the old SKU.
        OptionalChange::Keep if sku_changes && !item.name_given => item.name = None,
        OptionalChange::Keep => {}
    }
}
