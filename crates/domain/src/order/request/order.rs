//! The requests that create a manual order or a label order.

use super::{AddressDraft, CustomerDraft, LineItemDraft};
use crate::check::field::Field;
use crate::check::report::{IssueCode, Path, Report, Warning};
use crate::order::{Address, Customer, LineItem, OrderKind, OrderParts, Source};
use crate::pricing::fees::Bill;
use crate::runtime::IdSource;
use crate::store::Store;
use crate::value::id::{ItemId, OrderId};
use crate::value::time::Timestamp;

use super::item::{entries, entry, too_many};
use crate::check::{email, flag, order_id, text, url};

pub(super) const LABEL: &str = "shipping_address_label";

/// A request to create a manual order or a label order, as received.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct OrderDraft {
    /// Order id that the caller assigns, unique in the store.
    pub order_id: Field<String>,
    /// E-mail address that the caller gives.
    pub email: Field<String>,
    /// Http or https URL of the label that the store prepared. Read for label orders only.
    pub shipping_address_label: Field<String>,
    /// Shipping address. Optional for label orders.
    pub shipping_address: Field<AddressDraft>,
    /// Address of the payer.
    pub billing_address: Field<AddressDraft>,
    /// Person who ordered.
    pub customer: Field<CustomerDraft>,
    /// Line items, 1 to 100.
    pub line_items: Field<Vec<Field<LineItemDraft>>>,
    /// Form of the response; only `normal` exists.
    pub response_type: Field<String>,
    /// Whether to return the result without storing an order. The fingerprint of the request does
    /// not contain this field.
    #[cfg_attr(feature = "serde", serde(rename = "dryRun"))]
    pub dry_run: Field<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Order,
    /// Fields that a price depends on: the line items and, without a label, country and province of
    /// the destination.
    Cart,
}

impl OrderDraft {
    /// Returns whether `dry_run` is true; `false` if it is absent or of the wrong type.
    pub fn is_dry_run(&self) -> bool {
        self.dry_run.value().is_some_and(|asked| *asked)
    }

    /// Returns the kind of order in an estimate: a label makes it a label order.
    pub(crate) fn kind(&self) -> OrderKind {
        if self.shipping_address_label.is_blank() {
            OrderKind::Manual
        } else {
            OrderKind::Label
        }
    }

    pub(super) fn texts(&self) -> [(&'static str, &Field<String>); 3] {
        [
            ("order_id", &self.order_id),
            ("email", &self.email),
            (LABEL, &self.shipping_address_label),
        ]
    }

    /// Returns the order, not priced yet, and the warnings. If `extent` is a cart, order id and
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
            _ => order_id(&self.order_id, &root.key("order_id"), report),
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
                Extent::Order => required_customer(&self.customer, &customer_path, report),
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

pub(super) fn shipping_address(
    field: &Field<AddressDraft>,
    path: &Path<'_>,
    report: &mut Report,
) -> Option<Address> {
    let draft = field.required(path, "where the order goes", report)?;
    Some(draft.check_shipping(path, report))
}

pub(super) fn optional_address(
    field: &Field<AddressDraft>,
    path: &Path<'_>,
    report: &mut Report,
) -> Option<Address> {
    let address = field.read(path, report)?.check_billing(path, report);
    (address != Address::default()).then_some(address)
}

pub(super) fn required_customer(
    field: &Field<CustomerDraft>,
    path: &Path<'_>,
    report: &mut Report,
) -> Customer {
    let draft = field.required(path, "who ordered, with first_name or last_name", report);
    draft.map_or_else(Customer::default, |draft| draft.check(path, report))
}

/// Warns if the request wants another form of response than `normal`.
pub(super) fn response_type(field: &Field<String>, report: &mut Report) {
    let path = Path::Root.key("response_type");
    if text(field, &path, report).is_some_and(|asked| asked != "normal") {
        let message = "answered as `normal`, the only form there is";
        report.warning(&path, IssueCode::UnsupportedValue, message);
    }
}
