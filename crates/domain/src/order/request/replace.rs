//! The request to make items of an order again, with a new order.

use super::item::{entries, entry, too_many};
use super::item_change::item_id;
use super::shipment::UnitsDraft;
use crate::check::{Field, IssueCode, Path, Report, Warning, flag, order_id, text, version};
use crate::order::fingerprint::{Builder, Fingerprint};
use crate::value::ItemId;

/// A request to make items of an order again, as received.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReplaceDraft {
    /// Service order id of the replaced order.
    pub order_id: Field<String>,
    /// Version that the replaced order must have; required to identify a repeated request.
    pub version: Field<i64>,
    /// Reason for making the items again, in words; required.
    pub reason: Field<String>,
    /// Items to make again, each with its number of units; required.
    pub line_items: Field<Vec<Field<UnitsDraft>>>,
    /// Whether the new order is charged; free if absent.
    pub charge: Field<bool>,
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
    /// The service's id of the item; `None` if the request contains no valid item id.
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
        let drafts = entries(&self.line_items, path, report)
            .map(Vec::as_slice)
            .unwrap_or_default();
        if drafts.is_empty() && !self.line_items.is_absent() {
            report.required(path, "at least one item");
        }
        let mut items: Vec<ReplacedItem> = Vec::with_capacity(drafts.len());
        for (index, draft) in drafts.iter().enumerate() {
            let path = path.index(index);
            let draft = entry(draft, &path, report);
            let Some((item_name, quantity)) = draft.and_then(|draft| draft.check(&path, report))
            else {
                continue;
            };
            let id = item_id(&item_name);
            // Malformed ids are reported later, as unknown items.
            if id.is_some() && items.iter().any(|other| other.id == id) {
                let message = "the item is listed twice; merge the two entries";
                report.violation(&path.key("appItemId"), IssueCode::Repeated, message);
            }
            items.push(ReplacedItem {
                index,
                id,
                quantity,
            });
        }
        items
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
