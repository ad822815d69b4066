//! The content of an order, and what must hold of it.

use crate::id::{ItemId, OrderId, StoreId};
use crate::limits;
use crate::money::Currency;
use crate::pricing::fees::Bill;
use crate::time::Timestamp;
use pressline_kit::words::WordSet;

use super::address::{Address, Customer};
use super::fingerprint::Fingerprint;
use super::item::LineItem;
use super::kind::{OrderKind, Source};

/// Everything an order is made of.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct OrderParts {
    /// The service's id, which contains when the order was created.
    pub id: OrderId,
    /// The store it belongs to.
    pub store_id: StoreId,
    /// The caller's id: 1 to 128 printable characters, unique in the store.
    pub order_id: String,
    /// Http or https URL of the prepared label, which makes the order a label order.
    #[cfg_attr(feature = "serde", serde(rename = "shipping_address_label"))]
    pub label_url: Option<String>,
    /// How it came in.
    pub source: Source,
    /// Whether its store is a test store.
    pub test: bool,
    /// The currency of all its amounts.
    pub currency: Currency,
    /// The caller's e-mail address.
    pub email: Option<String>,
    /// Where it goes; `None` only on label orders.
    pub shipping_address: Option<Address>,
    /// Who pays.
    pub billing_address: Option<Address>,
    /// Who ordered.
    pub customer: Customer,
    /// A note to production.
    pub production_note: Option<String>,
    /// The line items, at least one.
    #[cfg_attr(feature = "serde", serde(rename = "childDetails"))]
    pub items: Vec<LineItem>,
    /// The fees, with the lines that they are made of.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub bill: Bill,
    /// The moment whose prices the fees are of.
    pub priced_at: Timestamp,
    /// What tells an honest retry of the create request from another request.
    pub fingerprint: Fingerprint,
}

/// Why parts do not make an order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidOrder {
    /// No item, or more than an order may have.
    #[error("an order has 1 to {} items", limits::LINE_ITEMS)]
    Items,
    /// Two items with one id, an item without a print area, or a quantity out of range.
    #[error("item {0} repeats an id, has no print area or a quantity out of range")]
    Item(ItemId),
    /// A manual order without a shipping address.
    #[error("a manual order has a shipping address")]
    NoShippingAddress,
    /// The caller's id is empty or too long.
    #[error("an order id has 1 to {} printable characters", limits::ORDER_ID)]
    OrderId,
    /// More content than an order may have: so many bytes.
    #[error("an order has at most {limit} bytes of content, not {0}", limit = limits::ORDER_CONTENT)]
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
    /// Returns when the order was created.
    pub fn created_at(&self) -> Timestamp {
        self.id.created_at()
    }

    /// Returns the kind of the order: a label makes it a label order.
    pub fn kind(&self) -> OrderKind {
        match self.label_url {
            None => OrderKind::Manual,
            Some(_) => OrderKind::Label,
        }
    }

    /// Returns the texts of the order that are not in its addresses and items.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let optional = [
            &self.label_url,
            &self.email,
            &self.customer.first_name,
            &self.customer.last_name,
            &self.production_note,
        ];
        let texts = std::iter::once(&self.order_id).chain(optional.into_iter().flatten());
        texts.map(String::as_str)
    }

    /// True where every cost that belongs into the total is known.
    pub fn is_priced(&self) -> bool {
        let mut missing = self.bill.missing(self.kind().needed_fees());
        missing.next().is_none()
    }

    /// The words by which a search finds the order, without its number: folded, distinct and
    /// sorted.
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
            if let Some(phone) = &address.phone {
                words.phone(phone);
            }
        }
        let items = self.items.iter();
        let items =
            items.flat_map(|item| [Some(&item.sku), item.name.as_ref(), item.ref_id.as_ref()]);
        for text in self.email.iter().chain(items.flatten()) {
            words.text(text);
        }
        words
    }
}
