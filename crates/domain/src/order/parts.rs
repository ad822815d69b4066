//! The content of an order, and its rules.

use crate::check::limits;
use crate::pricing::OrderKind;
use crate::pricing::fees::Bill;
use crate::value::{Currency, ItemId, OrderId, StoreId, Timestamp};
use pressline_kit::words::WordSet;

use super::address::{Address, Customer};
use super::fingerprint::Fingerprint;
use super::item::LineItem;
use super::source::Source;

/// Content of an order: the caller's values and the results of pricing.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct OrderParts {
    /// The service's id of the order. It contains the creation time.
    pub id: OrderId,
    /// Store that the order belongs to.
    pub store_id: StoreId,
    /// Order id that the caller assigned: 1 to 128 printable characters, unique in the store.
    pub order_id: String,
    /// Http or https URL of the label that the store prepared; `None` for a manual order.
    #[cfg_attr(feature = "serde", serde(rename = "shipping_address_label"))]
    pub label_url: Option<String>,
    /// Whether the store sent the order, or the print shop entered, imported or replaced it.
    pub source: Source,
    /// `true` for an order of a test store.
    pub test: bool,
    /// Currency of all amounts in the order.
    pub currency: Currency,
    /// E-mail address of the caller; `None` if the caller gave none.
    pub email: Option<String>,
    /// Shipping address; `None` only on label orders.
    pub shipping_address: Option<Address>,
    /// Address of the payer; `None` if the caller gave none.
    pub billing_address: Option<Address>,
    /// Person who ordered from the store.
    pub customer: Customer,
    /// Note for the staff in production; `None` if there is no note.
    pub production_note: Option<String>,
    /// Line items, 1 to [`limits::LINE_ITEMS`].
    #[cfg_attr(feature = "serde", serde(rename = "childDetails"))]
    pub items: Vec<LineItem>,
    /// Fees of the order, each the sum of its fee lines.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub bill: Bill,
    /// Time at which the prices in `bill` were valid.
    pub priced_at: Timestamp,
    /// Digest of the create request, to tell a retry from another request with the order id.
    pub fingerprint: Fingerprint,
}

/// A broken rule for the content of an order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidOrder {
    /// The order has no item, or more than [`limits::LINE_ITEMS`].
    #[error("the order must have 1 to {} items", limits::LINE_ITEMS)]
    Items,
    /// An item repeats an id, has no print area, or not 1 to [`limits::QUANTITY`] units.
    #[error("item {0} repeats an id, has no print area or a quantity out of range")]
    Item(ItemId),
    /// A manual order has no `shipping_address`.
    #[error("the manual order must have a shipping address")]
    NoShippingAddress,
    /// The caller's `order_id` is empty, too long, or not printable.
    #[error(
        "the order id must have 1 to {} printable characters",
        limits::ORDER_ID
    )]
    OrderId,
    /// The content has this number of bytes, more than [`limits::ORDER_CONTENT`].
    #[error("the order must have at most {limit} bytes of content, not {0}", limit = limits::ORDER_CONTENT)]
    Content(u64),
}

pub(crate) fn check(parts: &OrderParts) -> Result<(), InvalidOrder> {
    if !(1..=limits::LINE_ITEMS).contains(&parts.items.len()) {
        return Err(InvalidOrder::Items);
    }
    for (i, item) in parts.items.iter().enumerate() {
        let repeated = parts.items.iter().take(i).any(|other| other.id == item.id);
        if repeated || item.areas.is_empty() || !(1..=limits::QUANTITY).contains(&item.quantity) {
            return Err(InvalidOrder::Item(item.id));
        }
    }
    if parts.kind() == OrderKind::Manual && parts.shipping_address.is_none() {
        return Err(InvalidOrder::NoShippingAddress);
    }
    if !limits::is_order_id(&parts.order_id) {
        return Err(InvalidOrder::OrderId);
    }
    check_size(parts)
}

pub(crate) fn check_size(parts: &OrderParts) -> Result<(), InvalidOrder> {
    let content = parts.content_bytes();
    if content > limits::ORDER_CONTENT {
        return Err(InvalidOrder::Content(content));
    }
    Ok(())
}

impl OrderParts {
    /// Returns the creation time, as contained in `id`.
    pub fn created_at(&self) -> Timestamp {
        self.id.created_at()
    }

    /// Returns [`OrderKind::Label`] if the order has a `label_url`, else [`OrderKind::Manual`].
    pub fn kind(&self) -> OrderKind {
        match self.label_url {
            None => OrderKind::Manual,
            Some(_) => OrderKind::Label,
        }
    }

    /// Returns the texts that count in the size, except the strings in addresses and items.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        // Without `..`, so that a new field is either counted or named here.
        let Self {
            order_id,
            label_url,
            email,
            customer:
                Customer {
                    first_name,
                    last_name,
                },
            production_note,
            shipping_address: _,
            billing_address: _,
            items: _,
            id: _,
            store_id: _,
            source: _,
            test: _,
            currency: _,
            bill: _,
            priced_at: _,
            fingerprint: _,
        } = self;
        let optional = [label_url, email, first_name, last_name, production_note];
        let texts = std::iter::once(order_id).chain(optional.into_iter().flatten());
        texts.map(String::as_str)
    }

    /// Compares shipping address, label URL and production note, because all items depend on them.
    pub(crate) fn is_made_differently(&self, edited: &Self) -> bool {
        // Without `..`, so that each new field is either compared or named here.
        let Self {
            label_url,
            shipping_address,
            production_note,
            email: _,
            customer: _,
            billing_address: _,
            items: _,
            id: _,
            store_id: _,
            order_id: _,
            source: _,
            test: _,
            currency: _,
            bill: _,
            priced_at: _,
            fingerprint: _,
        } = self;
        *label_url != edited.label_url
            || *shipping_address != edited.shipping_address
            || *production_note != edited.production_note
    }

    /// Returns `true` if every fee that is part of the total is known.
    pub fn is_priced(&self) -> bool {
        let mut missing = self.bill.missing(self.kind().needed_fees());
        missing.next().is_none()
    }

    /// Returns the customer's name, else the recipient's company; empty if both are absent.
    pub fn customer_name(&self) -> String {
        let name = Some(self.customer.name()).filter(|name| !name.is_empty());
        let company = || self.shipping_address.as_ref()?.company.clone();
        name.or_else(company).unwrap_or_default()
    }

    /// Returns the folded search words, distinct and sorted, without the order number.
    pub fn words(&self) -> WordSet {
        self.word_set().reduced()
    }

    pub(crate) fn word_set(&self) -> WordSet {
        let mut words = WordSet::default();
        words.text(&self.order_id);
        words.text(&self.id.to_string());
        words.text(&self.customer.name());
        if let Some(address) = &self.shipping_address {
            let names = [&address.name, &address.first_name, &address.last_name];
            for text in names.into_iter().chain([&address.email]).flatten() {
                words.text(text);
            }
            // A company is found only if it stands for the recipient's name.
            if let Some(company) = &address.company
                && address.full_name().is_none()
            {
                words.text(company);
            }
            if let Some(phone) = &address.phone {
                words.phone(phone);
            }
        }
        let all_items = self.items.iter();
        let items =
            all_items.flat_map(|item| [Some(&item.sku), item.name.as_ref(), item.ref_id.as_ref()]);
        for text in self.email.iter().chain(items.flatten()) {
            words.text(text);
        }
        words
    }
}
