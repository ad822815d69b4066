//! The requests that create a manual order or a label order, and the request to update an order.

use super::{AddressDraft, CustomerDraft, LineItemDraft};
use crate::check::{
    Field, IssueCode, Path, Report, Warning, email, flag, limits, lines, order_id, text, url,
    version,
};
use crate::event::Role;
use crate::order::{Address, Customer, LineItem, OrderKind, OrderParts, Source};
use crate::pricing::fees::Bill;
use crate::runtime::IdSource;
use crate::store::Store;
use crate::value::{ItemId, OrderId, Timestamp};

use super::address::{optional_address, required_customer, shipping_address};
use super::change::OptionalChange;
use super::item::{entries, entry, too_many};
use super::item_change::{ItemChange, ItemUpdate, check_changes};
use super::own_id::own_order_id;

pub(super) const LABEL: &str = "shipping_address_label";

/// A request to create an order, as received. Requires `order_id`, `customer`, `line_items`, and
/// the `shipping_address` of a manual order or the `shipping_address_label` of a label order.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct OrderDraft {
    /// Order id that the caller assigns, unique in the store.
    pub order_id: Field<String>,
    /// E-mail address of the caller.
    pub email: Field<String>,
    /// Http or https URL of the label that the store prepared. Read for label orders only.
    pub shipping_address_label: Field<String>,
    /// Shipping address. Optional for label orders.
    pub shipping_address: Field<AddressDraft>,
    /// Address of the payer.
    pub billing_address: Field<AddressDraft>,
    /// Person who ordered from the store.
    pub customer: Field<CustomerDraft>,
    /// Line items, 1 to 100.
    pub line_items: Field<Vec<Field<LineItemDraft>>>,
    /// Form of the response; only `normal` exists.
    pub response_type: Field<String>,
    /// Whether to return the result without storing an order: the caller must then call
    /// [`OrderPlacer::dry_run_create`](crate::order::OrderPlacer::dry_run_create). Not contained
    /// in the fingerprint of the request.
    #[cfg_attr(feature = "serde", serde(rename = "dryRun"))]
    pub dry_run: Field<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Order,
    /// Needs only line items and, without a label, country and province of the destination.
    Cart,
}

/// A request to update an order, as received. A store must give `customer`, `line_items` and, for a
/// manual order, `shipping_address`; an operator only the fields to change.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct UpdateDraft {
    /// Order id that the caller assigned, or the service order id.
    pub order_id: Field<String>,
    /// New e-mail address; blank clears it.
    pub email: Field<String>,
    /// New shipping address, as a whole. For a label order, an empty object clears it.
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
    /// Whether to return the result without storing it: the caller must then call
    /// [`OrderEditor::dry_run_update`](crate::order::OrderEditor::dry_run_update).
    #[cfg_attr(feature = "serde", serde(rename = "dryRun"))]
    pub dry_run: Field<bool>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ValidUpdate {
    pub(crate) order_id: String,
    pub(crate) email: OptionalChange<String>,
    pub(crate) shipping_address: OptionalChange<Address>,
    pub(crate) billing_address: OptionalChange<Address>,
    /// New customer; `None` keeps the stored customer. Only operators may omit it.
    pub(crate) customer: Option<Customer>,
    /// Each update with the index of its entry in the request.
    pub(crate) items: Vec<(usize, ItemUpdate)>,
    pub(crate) production_note: OptionalChange<String>,
    pub(crate) version: Option<u32>,
    pub(crate) reason: Option<String>,
    pub(crate) warnings: Vec<Warning>,
}

impl ValidUpdate {
    /// Writes the values of the update to `parts`. Leaves the items of `parts` unchanged.
    pub(crate) fn apply(self, parts: &mut OrderParts) {
        // Without `..`, so that a new field is either written or named here.
        let Self {
            email,
            shipping_address,
            billing_address,
            customer,
            production_note,
            order_id: _,
            items: _,
            version: _,
            reason: _,
            warnings: _,
        } = self;
        if let Some(customer) = customer {
            parts.customer = customer;
        }
        email.apply(&mut parts.email);
        shipping_address.apply(&mut parts.shipping_address);
        billing_address.apply(&mut parts.billing_address);
        production_note.apply(&mut parts.production_note);
    }
}

impl OrderDraft {
    /// Returns whether `dry_run` is true; `false` if it is absent or of the wrong type.
    pub fn is_dry_run(&self) -> bool {
        self.dry_run.value().is_some_and(|asked| *asked)
    }

    pub(crate) fn kind(&self) -> OrderKind {
        if self.shipping_address_label.is_blank() {
            OrderKind::Manual
        } else {
            OrderKind::Label
        }
    }

    /// Returns the texts in a fingerprint, except in addresses, customer and items.
    pub(super) fn texts(&self) -> [(&'static str, &Field<String>); 3] {
        // Without `..`, so that a new field is either in the fingerprint or named here.
        let Self {
            order_id,
            email,
            shipping_address_label,
            shipping_address: _,
            billing_address: _,
            customer: _,
            line_items: _,
            response_type: _,
            dry_run: _,
        } = self;
        [
            ("order_id", order_id),
            ("email", email),
            (LABEL, shipping_address_label),
        ]
    }

    /// Returns the content, not priced yet, with warnings. If `extent` is a cart, order id and
    /// customer may be absent: the order id is then empty, and the customer has no name.
    pub(crate) fn check(
        &self,
        kind: OrderKind,
        extent: Extent,
        store: &Store,
        now: Timestamp,
        ids: &dyn IdSource,
    ) -> Result<(OrderParts, Vec<Warning>), Report> {
        let root = Path::Root;
        let items_path = root.key("line_items");
        if let Some(report) = too_many(&self.line_items, &items_path) {
            return Err(report);
        }
        let report = &mut Report::default();
        let order_id = match extent {
            Extent::Cart if self.order_id.is_blank() => Some(String::new()),
            _ => own_order_id(&self.order_id, store, report),
        };
        let customer_path = root.key("customer");
        let billing_path = root.key("billing_address");
        let id = OrderId::new(ids.next(now));
        let parts = OrderParts {
            id,
            store_id: store.id,
            order_id: order_id.unwrap_or_default(),
            email: email(&self.email, &root.key("email"), report),
            label_url: self.check_label(kind, report),
            shipping_address: self.check_shipping(kind, extent, report),
            billing_address: optional_address(&self.billing_address, &billing_path, report),
            customer: match extent {
                Extent::Order => self.check_customer(&customer_path, report),
                Extent::Cart => {
                    let draft = self.customer.read(&customer_path, report).cloned();
                    draft.unwrap_or_default().values(&customer_path, report)
                }
            },
            production_note: None,
            items: self.check_items(&items_path, || ItemId::new(ids.next(now)), report),
            source: Source::Store,
            test: store.test,
            currency: store.currency,
            bill: Bill::default(),
            priced_at: now,
            fingerprint: self.fingerprint(kind),
        };
        response_type(&self.response_type, report);
        flag(&self.dry_run, &root.key("dryRun"), report);
        report.check()?;
        Ok((parts, std::mem::take(&mut report.warnings)))
    }

    fn check_customer(&self, path: &Path<'_>, report: &mut Report) -> Customer {
        let has_company = has_company(&self.shipping_address).unwrap_or(false);
        required_customer(&self.customer, Some(has_company), path, report)
    }

    fn check_label(&self, kind: OrderKind, report: &mut Report) -> Option<String> {
        if kind == OrderKind::Manual {
            return None;
        }
        let path = Path::Root.key(LABEL);
        let what = "the http or https URL of the prepared shipping label";
        url(
            self.shipping_address_label.demand(&path, what, report),
            &path,
            report,
        )
    }

    fn check_shipping(
        &self,
        kind: OrderKind,
        extent: Extent,
        report: &mut Report,
    ) -> Option<Address> {
        let path = Path::Root.key("shipping_address");
        match &self.shipping_address {
            Field::Absent if kind == OrderKind::Label => None,
            Field::Value(draft) if kind == OrderKind::Label && draft.is_empty() => None,
            Field::Value(draft) if extent == Extent::Cart => {
                Some(draft.check_destination(&path, report))
            }
            field => shipping_address(field, &path, report),
        }
    }

    fn check_items(
        &self,
        path: &Path<'_>,
        new_id: impl Fn() -> ItemId,
        report: &mut Report,
    ) -> Vec<LineItem> {
        let Some(drafts) = entries(&self.line_items, path, report) else {
            return Vec::new();
        };
        if drafts.is_empty() {
            report.required(path, "at least one line item");
        }
        let mut items = Vec::with_capacity(drafts.len());
        for (i, draft) in drafts.iter().enumerate() {
            let path = path.index(i);
            if let Some(draft) = entry(draft, &path, report) {
                items.extend(draft.check(new_id(), &path, report));
            }
        }
        items
    }
}

impl UpdateDraft {
    /// Returns whether `dry_run` is true; `false` if it is absent or of the wrong type.
    pub fn is_dry_run(&self) -> bool {
        self.dry_run.value().is_some_and(|asked| *asked)
    }

    /// Returns `true` if the customer has no name, and only the stored address can have a company.
    pub(crate) fn needs_company(&self) -> bool {
        let is_nameless = self
            .customer
            .value()
            .is_some_and(CustomerDraft::is_nameless);
        is_nameless && self.shipping_address.is_absent()
    }

    /// If `by` is an operator, customer and items may be absent. Whether the shipping address may
    /// be absent or cleared depends on the stored order, so the caller checks it.
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
        let address = self.check_shipping(report);
        let billing = optional_address(&self.billing_address, &root.key("billing_address"), report);
        let is_customer_left = is_partial && self.customer.is_absent();
        let customer = (!is_customer_left).then(|| {
            let has_company = has_company(&self.shipping_address);
            required_customer(&self.customer, has_company, &root.key("customer"), report)
        });
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

    fn check_shipping(&self, report: &mut Report) -> OptionalChange<Address> {
        match &self.shipping_address {
            Field::Absent => OptionalChange::Keep,
            Field::Value(draft) if draft.is_empty() => OptionalChange::Set(None),
            field => {
                let path = Path::Root.key("shipping_address");
                OptionalChange::Set(shipping_address(field, &path, report))
            }
        }
    }

    fn check_items(
        &self,
        path: &Path<'_>,
        new_id: &dyn Fn() -> ItemId,
        report: &mut Report,
    ) -> Vec<(usize, ItemUpdate)> {
        let without_version = self.version.is_absent();
        check_changes(&self.line_items, without_version, new_id, path, report)
    }
}

/// Returns `None` if the request has no address.
fn has_company(address: &Field<AddressDraft>) -> Option<bool> {
    match address {
        Field::Absent => None,
        Field::Value(address) => Some(address.has_company()),
        Field::Wrong(_) => Some(false),
    }
}

fn response_type(field: &Field<String>, report: &mut Report) {
    let path = Path::Root.key("response_type");
    if text(field, &path, report).is_some_and(|asked| asked != "normal") {
        let message = "answered as `normal`, the only form there is";
        report.warning(&path, IssueCode::UnsupportedValue, message);
    }
}
