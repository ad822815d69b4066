//! Differences of an order before and after an event, in the form of responses.

use std::collections::{BTreeMap, BTreeSet};

use pressline_domain::event::Role;
use pressline_domain::order::Order;
use serde::Deserialize;
use serde_json::value::{RawValue, to_raw_value};

use super::change::ChangeResponse;
use super::order::OrderBody;
use super::view::View;

type Result<T> = serde_json::Result<T>;

/// JSON of an order right before or after an event, in the form of responses.
pub(crate) struct WrittenOrder(Box<RawValue>);

impl WrittenOrder {
    pub(crate) fn new(order: &Order) -> Result<Self> {
        to_raw_value(&OrderBody::stored(order, View::Found, Role::Store)).map(Self)
    }

    pub(crate) fn json(&self) -> &RawValue {
        &self.0
    }

    /// Sorts changes by field; list entries keep their order.
    pub(crate) fn changes_since(&self, before: &Self) -> Result<Vec<ChangeResponse<'static>>> {
        let mut changes = Vec::new();
        compare("", &before.0, &self.0, &mut changes)?;
        Ok(changes)
    }
}

/// Leaves out fields of the event itself, and actions, which follow from the statuses.
fn is_left_out(object: &str, name: &str) -> bool {
    match name {
        "version" | "updatedAt" | "itemStatuses" => object.is_empty(),
        "status" => object.starts_with("childDetails["),
        "allowedActions" => true,
        _ => false,
    }
}

/// Adds the changes from `old` to `new`, the values at `path`. Does not parse equal values.
fn compare(
    path: &str,
    old: &RawValue,
    new: &RawValue,
    changes: &mut Vec<ChangeResponse<'static>>,
) -> Result<()> {
    if old.get() == new.get() {
        return Ok(());
    }
    let begins_both = |bracket| old.get().starts_with(bracket) && new.get().starts_with(bracket);
    if begins_both('{') {
        return compare_objects(path, old, new, changes);
    }
    // Paths identify entries by `id`, not by position, so a reordered list is shown as a whole.
    if begins_both('[')
        && let Some((before, after)) = entries(path, old).zip(entries(path, new))
        && keeps_order(&before, &after)
    {
        return compare_entries(path, &before, &after, changes);
    }
    changes.push(ChangeResponse::written(path, old, new));
    Ok(())
}

fn compare_objects(
    path: &str,
    old: &RawValue,
    new: &RawValue,
    changes: &mut Vec<ChangeResponse<'static>>,
) -> Result<()> {
    let old: BTreeMap<&str, &RawValue> = serde_json::from_str(old.get())?;
    let new: BTreeMap<&str, &RawValue> = serde_json::from_str(new.get())?;
    // All names of both objects, because a field without a value can be absent.
    let names: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    for name in names.into_iter().filter(|name| !is_left_out(path, name)) {
        // An absent field equals a field that is `null`.
        let [before, after] =
            [&old, &new].map(|fields| fields.get(name).copied().unwrap_or(RawValue::NULL));
        let point = if path.is_empty() { "" } else { "." };
        compare(&format!("{path}{point}{name}"), before, after, changes)?;
    }
    Ok(())
}

type Entry<'a> = (&'a str, &'a RawValue);

#[derive(Deserialize)]
struct Identified<'a> {
    id: &'a str,
}

/// Returns `None` if ids do not identify the entries: a change then shows the whole list.
fn entries<'a>(path: &str, list: &'a RawValue) -> Option<Vec<Entry<'a>>> {
    // The `id` of a file is the id of a print area. It does not identify the file.
    if path.ends_with(".files") {
        return None;
    }
    let entries: Vec<&RawValue> = serde_json::from_str(list.get()).ok()?;
    let identified = entries.into_iter().map(|entry| {
        // Entries without an `id`, such as strings, cannot be matched.
        let Identified { id } = serde_json::from_str(entry.get()).ok()?;
        Some((id, entry))
    });
    identified.collect()
}

fn ids<'a>(list: &[Entry<'a>]) -> BTreeSet<&'a str> {
    list.iter().map(|(id, _)| *id).collect()
}

/// Returns false if common entries have another order, or entries are added before others.
fn keeps_order(old: &[Entry<'_>], new: &[Entry<'_>]) -> bool {
    let (before, after) = (ids(old), ids(new));
    let added = new.iter().filter(|(id, _)| !before.contains(id));
    old.iter()
        .filter(|(id, _)| after.contains(id))
        .chain(added)
        .map(|(id, _)| id)
        .eq(new.iter().map(|(id, _)| id))
}

fn compare_entries(
    path: &str,
    old: &[Entry<'_>],
    new: &[Entry<'_>],
    changes: &mut Vec<ChangeResponse<'static>>,
) -> Result<()> {
    let after: BTreeMap<&str, &RawValue> = new.iter().copied().collect();
    for (id, entry) in old {
        // A removed entry counts as `null`.
        let new_entry = after.get(id).copied().unwrap_or(RawValue::NULL);
        compare(&format!("{path}[{id}]"), entry, new_entry, changes)?;
    }
    let before = ids(old);
    for (id, entry) in new.iter().filter(|(id, _)| !before.contains(id)) {
        compare(&format!("{path}[{id}]"), RawValue::NULL, entry, changes)?;
    }
    Ok(())
}
