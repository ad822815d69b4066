//! The request to make items of an order again, with a new order.

use super::command::ItemNameDraft;
use super::item::{entries, entry, too_many};
use super::update::item_id;
use crate::check::field::Field;
use crate::check::limits;
use crate::check::report::{IssueCode, Path, Report, Warning};
use crate::check::{flag, integer, order_id, text, version};
use crate::order::fingerprint::{Builder, Fingerprint};
use crate::value::id::ItemId;

/// A request to make items of an order again, as received.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReplaceDraft {
    /// Service order id of the replaced order.
    pub order_id: Field<String>,
    /// Version that the replaced order must have. Required, because it identifies a repeated
    /// request.
    pub version: Field<i64>,
    /// Reason in words; required.
    pub reason: Field<String>,
    /// Items to make again.
    pub line_items: Field<Vec<Field<ReplacedItemDraft>>>,
    /// Whether the new order is charged; free if absent.
    pub charge: Field<bool>,
}

/// An item to make again, as received.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReplacedItemDraft {
    /// Reference to the item.
    pub name: ItemNameDraft,
    /// Number of units to make again.
    pub quantity: Field<i64>,
}

pub(crate) struct ValidReplace {
    pub(crate) order_id: String,
    pub(crate) version: u32,
    pub(crate) reason: Option<String>,
    pub(crate) items: Vec<ReplacedItem>,
    pub(crate) charge: bool,
    pub(crate) warnings: Vec<Warning>,
}

pub(crate) struct ReplacedItem {
    pub(crate) index: usize,
    /// `None` if the id is malformed: no item has it.
    pub(crate) id: Option<ItemId>,
    pub(crate) quantity: u32,
}

impl ReplaceDraft {
    pub(crate) fn check(&self) -> Result<ValidReplace, Report> {
        let root = Path::Root;
        let items_path = root.key("line_items");
        if let Some(report) = too_many(&self.line_items, &items_path) {
            return Err(report);
        }
        let report = &mut Report::default();
        let order_id = order_id(&self.order_id, &root.key("order_id"), report);
        let version_path = root.key("version");
        if self.version.is_absent() {
            let what = "the order's `version`, so that a repeated request makes no second order";
            report.required(&version_path, what);
        }
        let version = version(&self.version, &version_path, report);
        let reason = text(&self.reason, &root.key("reason"), report);
        if self.reason.is_blank() {
            report.required(&root.key("reason"), "why, in words");
        }
        let charge = flag(&self.charge, &root.key("charge"), report);
        let items = self.check_items(&items_path, report);
        match (order_id, version, charge) {
            (Some(order_id), Some(version), Some(charge)) if report.violations.is_empty() => {
                Ok(ValidReplace {
                    order_id,
                    version,
                    reason,
                    items,
                    charge,
                    warnings: std::mem::take(&mut report.warnings),
                })
            }
            _ => Err(std::mem::take(report)),
        }
    }

    fn check_items(&self, path: &Path<'_>, report: &mut Report) -> Vec<ReplacedItem> {
        let drafts = entries(&self.line_items, path, report);
        let drafts = drafts.map(Vec::as_slice).unwrap_or_default();
        if drafts.is_empty() && !self.line_items.is_absent() {
            report.required(path, "at least one item");
        }
        let mut items: Vec<ReplacedItem> = Vec::with_capacity(drafts.len());
        for (index, draft) in drafts.iter().enumerate() {
            let path = path.index(index);
            let draft = entry(draft, &path, report);
            let Some(item) = draft.and_then(|draft| draft.check(index, &path, report)) else {
                continue;
            };
            // Malformed ids are reported later, as unknown items.
            if item.id.is_some() && items.iter().any(|other| other.id == item.id) {
                let message = "the item is listed twice; merge the two entries";
                report.violation(&path.key("appItemId"), IssueCode::Repeated, message);
            }
            items.push(item);
        }
        items
    }
}

impl ReplacedItemDraft {
    fn check(&self, index: usize, path: &Path<'_>, report: &mut Report) -> Option<ReplacedItem> {
        let id_path = path.key("appItemId");
        if self.name.app_item_id.is_blank() {
            report.required(&id_path, "the `id` of an entry of the order's childDetails");
        }
        let quantity_path = path.key("quantity");
        if self.quantity.is_absent() {
            report.required(&quantity_path, "the number of units");
        }
        let range = (1, i64::from(limits::QUANTITY));
        let quantity = integer(&self.quantity, &quantity_path, range, report);
        let id = text(&self.name.app_item_id, &id_path, report)?;
        Some(ReplacedItem {
            index,
            id: item_id(&id),
            quantity: u32::try_from(quantity?).ok()?,
        })
    }
}

impl ValidReplace {
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        self.leaves(Builder::default()).finish()
    }

    pub(crate) fn differing(&self, stored: &Fingerprint) -> Vec<String> {
        let candidates = ["charge", "line_items"].map(str::to_owned);
        let builder = self.leaves(Builder::with_paths());
        builder.differing(stored, candidates)
    }

    fn leaves(&self, mut builder: Builder) -> Builder {
        let item = |item: &ReplacedItem| {
            let id = item.id.map(|id| id.to_string()).unwrap_or_default();
            format!("{id}:{}", item.quantity)
        };
        let items: Vec<String> = self.items.iter().map(item).collect();
        builder.leaf("line_items", &items.join(","));
        builder.leaf("charge", if self.charge { "true" } else { "false" });
        builder
    }
}
