//! Commands of a store about a stored order.

use crate::check::{
    Field, IssueCode, Path, Report, Warning, flag, integer, limits, lines, order_id, text, version,
};
use crate::order::{Order, OrderError};
use crate::value::{ItemId, Timestamp};

use super::item::{entries, entry, too_many};
use super::item_change::item_id;

/// A command about an order, as received. Fields after `reason` are for some commands only.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CommandDraft {
    /// Order id that the caller assigned, or the service order id.
    pub order_id: Field<String>,
    /// Version that the order must have; absent for any version.
    pub version: Field<i64>,
    /// Reason for the command, in words.
    pub reason: Field<String>,
    /// Items that the command concerns; absent for all items that it can concern.
    pub line_items: Field<Vec<Field<ItemNameDraft>>>,
    /// Time when a hold ends by itself, in milliseconds since 1970; only for a hold.
    pub until: Field<i64>,
    /// Answer to the print shop, in words; only for an answer to needs.
    pub text: Field<String>,
    /// Whether the store accepts the fee in the print shop's question; absent without a fee.
    pub accept: Field<bool>,
}

/// An item that a command names, as received. It is an entry of `line_items`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ItemNameDraft {
    /// The service's id of the item.
    pub app_item_id: Field<String>,
}

pub(crate) struct ValidCommand {
    pub(crate) order_id: String,
    pub(crate) version: Option<u32>,
    pub(crate) reason: Option<String>,
    pub(crate) until: Option<Timestamp>,
    pub(crate) text: Option<String>,
    pub(crate) accept: Option<bool>,
    pub(crate) warnings: Vec<Warning>,
    /// Items that the command names; `None` for all items that allow the command.
    pub(super) items: Option<NamedItems>,
}

impl CommandDraft {
    pub(crate) fn check(&self) -> Result<ValidCommand, Report> {
        let root = Path::Root;
        let items_path = root.key("line_items");
        if let Some(report) = too_many(&self.line_items, &items_path) {
            return Err(report);
        }
        let report = &mut Report::default();
        let order_id = order_id(&self.order_id, &root.key("order_id"), report);
        let version = version(&self.version, &root.key("version"), report);
        let reason = text(&self.reason, &root.key("reason"), report);
        let until = integer(&self.until, &root.key("until"), (0, i64::MAX), report);
        let note = limits::PRODUCTION_NOTE;
        let answer = lines(&self.text, &root.key("text"), note, report);
        let accept = flag(&self.accept, &root.key("accept"), report);
        let items = check_items(&self.line_items, &items_path, report);
        match order_id {
            Some(order_id) if report.violations.is_empty() => Ok(ValidCommand {
                order_id,
                version,
                reason,
                until: until.map(Timestamp::from_millis),
                text: answer,
                // Absent is not `false` here: it leaves open whether the fee is accepted.
                accept: accept.filter(|_| !self.accept.is_absent()),
                items,
                warnings: std::mem::take(&mut report.warnings),
            }),
            _ => Err(std::mem::take(report)),
        }
    }
}

/// Index of the item's entry in the request, and the id of the item.
pub(super) type NamedItems = Vec<(usize, String)>;

/// Returns `None` if `field` is invalid, or absent to mean all items that allow the command.
pub(super) fn check_items(
    field: &Field<Vec<Field<ItemNameDraft>>>,
    path: &Path<'_>,
    report: &mut Report,
) -> Option<NamedItems> {
    if field.is_absent() {
        return None;
    }
    let drafts = entries(field, path, report)?;
    // An empty list must not mean all items.
    if drafts.is_empty() {
        report.required(path, "at least one item; leave `line_items` out for all");
    }
    let mut items = Vec::with_capacity(drafts.len());
    for (index, draft) in drafts.iter().enumerate() {
        let path = path.index(index);
        let Some(draft) = entry(draft, &path, report) else {
            continue;
        };
        let id_path = path.key("appItemId");
        let what = "the `id` of an entry of the order's childDetails";
        let id_field = draft.app_item_id.demand(&id_path, what, report);
        let id = text(id_field, &id_path, report);
        items.extend(id.map(|id| (index, id)));
    }
    Some(items)
}

impl ValidCommand {
    pub(crate) fn about(
        order_id: String,
        version: Option<u32>,
        reason: Option<String>,
        warnings: Vec<Warning>,
    ) -> Self {
        Self {
            order_id,
            version,
            reason,
            until: None,
            text: None,
            accept: None,
            warnings,
            items: None,
        }
    }

    /// Returns `None` for all items, and [`OrderError::UnknownItem`] for an unknown item.
    pub(crate) fn items_of(&self, order: &Order) -> Result<Option<Vec<ItemId>>, OrderError> {
        items_of(self.items.as_ref(), order)
    }
}

pub(super) fn items_of(
    items: Option<&NamedItems>,
    order: &Order,
) -> Result<Option<Vec<ItemId>>, OrderError> {
    let names = items.map(|items| items.iter().map(|(index, name)| (*index, name.as_str())));
    names.map(|names| find_items(order, names)).transpose()
}

pub(super) fn find_items<'a>(
    order: &Order,
    names: impl Iterator<Item = (usize, &'a str)>,
) -> Result<Vec<ItemId>, OrderError> {
    let (mut items, mut unknown) = (Vec::new(), Report::default());
    for (index, name) in names {
        match item_id(name).filter(|id| order.state.item(*id).is_some()) {
            Some(id) => items.push(id),
            None => unknown_item(index, &mut unknown),
        }
    }
    if unknown.violations.is_empty() {
        Ok(items)
    } else {
        Err(OrderError::UnknownItem(unknown.violations))
    }
}

pub(crate) fn unknown_item(index: usize, report: &mut Report) {
    let list = Path::Root.key("line_items");
    let message = "the order has no such item; use the `id` of an entry of its childDetails";
    let path = list.index(index);
    report.violation(&path.key("appItemId"), IssueCode::UnknownItem, message);
}
