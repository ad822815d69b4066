//! The request to update an order.

use crate::check::field::Field;
use crate::check::limits;
use crate::check::report::{IssueCode, Path, Report, Warning};
use crate::event::Role;
use crate::order::{Address, Customer, LineItem, OrderParts};
use crate::value::id::ItemId;

use super::change::OptionalChange;
use super::item::{ItemValues, LineItemDraft, entries, entry, too_many};
use super::order::{optional_address, required_customer, response_type, shipping_address};
use super::{AddressDraft, CustomerDraft};
use crate::check::{email, flag, lines, order_id, text, version};

/// A request to update an order, as received.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct UpdateDraft {
    /// Order id that the caller assigned, or the service order id.
    pub order_id: Field<String>,
    /// New e-mail address; blank clears it.
    pub email: Field<String>,
    /// New shipping address; replaces the whole address. For label orders it is optional, and an
    /// empty object clears it.
    pub shipping_address: Field<AddressDraft>,
    /// New billing address; replaces the whole address. An empty object clears it.
    pub billing_address: Field<AddressDraft>,
    /// New customer; replaces first and last name.
    pub customer: Field<CustomerDraft>,
    /// Items to change, add or remove. Items that are not listed stay unchanged.
    pub line_items: Field<Vec<Field<ItemChange>>>,
    /// Form of the response; only `normal` exists.
    pub response_type: Field<String>,
    /// New note for the staff in production; blank clears it.
    pub production_note: Field<String>,
    /// Version that the caller has seen. If the order has another version, nothing changes.
    pub version: Field<i64>,
    /// Reason for the change, in words; required of operators.
    pub reason: Field<String>,
    /// Whether to return the result without storing it.
    #[cfg_attr(feature = "serde", serde(rename = "dryRun"))]
    pub dry_run: Field<bool>,
}

/// An entry of `line_items` in an update, as received.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, rename_all = "camelCase"))]
pub struct ItemChange {
    /// The service's id of the item to change; absent for a new item.
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

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ValidUpdate {
    pub(crate) order_id: String,
    pub(crate) email: OptionalChange<String>,
    pub(crate) shipping_address: OptionalChange<Address>,
    pub(crate) billing_address: OptionalChange<Address>,
    /// `None` keeps the stored customer. Only operators may omit it.
    pub(crate) customer: Option<Customer>,
    /// Changes of items, each with the index of its entry in the request.
    pub(crate) items: Vec<(usize, ItemUpdate)>,
    pub(crate) production_note: OptionalChange<String>,
    pub(crate) version: Option<u32>,
    pub(crate) reason: Option<String>,
    pub(crate) warnings: Vec<Warning>,
}

impl ValidUpdate {
    /// Does not write the items.
    pub(crate) fn apply(self, parts: &mut OrderParts) {
        if let Some(customer) = self.customer {
            parts.customer = customer;
        }
        self.email.apply(&mut parts.email);
        self.shipping_address.apply(&mut parts.shipping_address);
        self.billing_address.apply(&mut parts.billing_address);
        self.production_note.apply(&mut parts.production_note);
    }
}

impl UpdateDraft {
    /// Returns whether `dry_run` is true; `false` if it is absent or of the wrong type.
    pub fn is_dry_run(&self) -> bool {
        self.dry_run.value().is_some_and(|asked| *asked)
    }

    /// If `by` is an operator, only the order and the reason are required. New items get ids from
    /// `new_id`. Whether the shipping address may be absent or cleared depends on the stored order,
    /// so the caller checks it.
    pub(crate) fn check(
        &self,
        by: Role,
        new_id: &dyn Fn() -> ItemId,
    ) -> Result<ValidUpdate, Report> {
        let is_partial = by == Role::Operator;
        let root = Path::Root;
        let items_path = root.key("line_items");
        if let Some(report) = too_many(&self.line_items, &items_path) {
            return Err(report);
        }
        let report = &mut Report::default();
        let order_id = order_id(&self.order_id, &root.key("order_id"), report);
        let new_email = email(&self.email, &root.key("email"), report);
        let address = match &self.shipping_address {
            Field::Absent => OptionalChange::Keep,
            Field::Value(draft) if draft.is_empty() => OptionalChange::Set(None),
            field => {
                let path = root.key("shipping_address");
                OptionalChange::Set(shipping_address(field, &path, report))
            }
        };
        let billing = optional_address(&self.billing_address, &root.key("billing_address"), report);
        let is_customer_left = is_partial && self.customer.is_absent();
        let customer = (!is_customer_left)
            .then(|| required_customer(&self.customer, &root.key("customer"), report));
        let note_path = root.key("production_note");
        let limit = limits::PRODUCTION_NOTE;
        let note = lines(&self.production_note, &note_path, limit, report);
        let version = version(&self.version, &root.key("version"), report);
        let items = if is_partial && self.line_items.is_absent() {
            Vec::new()
        } else {
            self.check_items(&items_path, new_id, report)
        };
        let reason = text(&self.reason, &root.key("reason"), report);
        response_type(&self.response_type, report);
        flag(&self.dry_run, &root.key("dryRun"), report);
        match order_id {
            Some(order_id) if report.violations.is_empty() => Ok(ValidUpdate {
                order_id,
                email: OptionalChange::new(&self.email, new_email),
                shipping_address: address,
                billing_address: OptionalChange::new(&self.billing_address, billing),
                customer,
                items,
                production_note: OptionalChange::new(&self.production_note, note),
                version,
                reason,
                warnings: std::mem::take(&mut report.warnings),
            }),
            _ => Err(std::mem::take(report)),
        }
    }

    fn check_items(
        &self,
        path: &Path<'_>,
        new_id: &dyn Fn() -> ItemId,
        report: &mut Report,
    ) -> Vec<(usize, ItemUpdate)> {
        let mut seen: Vec<&str> = Vec::new();
        let mut updates = Vec::new();
        let changes = entries(&self.line_items, path, report);
        for (i, change) in changes.into_iter().flatten().enumerate() {
            let path = path.index(i);
            let Some(change) = entry(change, &path, report) else {
                continue;
            };
            if let Some(id) = change.app_item_id.text() {
                // An id can be written in upper or lower case.
                if seen.iter().any(|other| other.eq_ignore_ascii_case(id)) {
                    let message =
                        "the same item stands twice in this update; merge the two entries";
                    report.violation(&path.key("appItemId"), IssueCode::Repeated, message);
                }
                seen.push(id);
            }
            let update = change.check(self.version.is_absent(), new_id, &path, report);
            updates.extend(update.map(|update| (i, update)));
        }
        updates
    }
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
            let message = "required to change an item; to add a new one, send the order's `version` along, \
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
