//! Row of an order in the table `orders`.

use std::str::FromStr;

use pressline_domain::error::RepositoryError;
use pressline_domain::order::fingerprint::Fingerprint;
use pressline_domain::order::{Customer, Order, OrderParts, Source};
use pressline_domain::value::{ServiceOrderId, Timestamp};

use crate::corrupt::StoredRow;
use crate::json::{self, art, bill};
use crate::order::ItemRow;
use crate::sql::Row;

/// Row of an order in the table `orders`, without the search words.
#[derive(Debug, Clone, PartialEq, Row)]
#[expect(
    missing_docs,
    reason = "the columns are described where they are created, in the migrations"
)]
pub struct OrderRow {
    pub store_id: String,
    pub id: String,
    pub order_id: String,
    pub prefix: String,
    pub number: i64,
    pub label_url: Option<String>,
    pub source: String,
    pub test: bool,
    pub currency: String,
    pub email: Option<String>,
    pub shipping_address: Option<String>,
    pub billing_address: Option<String>,
    pub customer_first_name: Option<String>,
    pub customer_last_name: Option<String>,
    pub production_note: Option<String>,
    pub fingerprint: Vec<u8>,
    pub art: String,
    pub bill: String,
    pub priced_at: i64,
    pub size: i32,
}

impl OrderRow {
    /// Creates the row of `order`, with addresses, artwork and bill as JSON.
    ///
    /// # Errors
    /// [`RepositoryError::Refused`] if a value cannot be written as JSON.
    pub fn new(order: &Order) -> Result<Self, RepositoryError> {
        let mut row = Self::without_number(order.parts())?;
        row.set_number(&order.service_order_id);
        Ok(row)
    }

    /// Sets prefix and number of the order, which are assigned when a new order is written.
    pub fn set_number(&mut self, number: &ServiceOrderId) {
        self.prefix = number.prefix.to_string();
        self.number = number.number;
    }

    /// Creates the row with an empty prefix and the number 0.
    pub(crate) fn without_number(parts: &OrderParts) -> Result<Self, RepositoryError> {
        let address = |address| json::write(address);
        Ok(Self {
            store_id: parts.store_id.to_string(),
            id: parts.id.to_string(),
            order_id: parts.order_id.clone(),
            prefix: String::new(),
            number: 0,
            label_url: parts.label_url.clone(),
            source: parts.source.as_str().to_owned(),
            test: parts.test,
            currency: parts.currency.code().to_owned(),
            email: parts.email.clone(),
            shipping_address: parts.shipping_address.as_ref().map(address).transpose()?,
            billing_address: parts.billing_address.as_ref().map(address).transpose()?,
            customer_first_name: parts.customer.first_name.clone(),
            customer_last_name: parts.customer.last_name.clone(),
            production_note: parts.production_note.clone(),
            fingerprint: parts.fingerprint.to_bytes(),
            art: art::write(&parts.items)?,
            bill: bill::write(&parts.bill, &parts.items)?,
            priced_at: parts.priced_at.as_millis(),
            size: i32::try_from(parts.loaded_bytes()).unwrap_or(i32::MAX),
        })
    }

    /// Expects `items` to be sorted by position.
    pub(super) fn restore(&self, items: Vec<ItemRow>) -> Result<OrderParts, RepositoryError> {
        let stored = StoredRow("orders", &[&self.store_id, &self.id]);
        let art = stored.read("art", art::read(&self.art, items.len()))?;
        let items = items
            .into_iter()
            .zip(art)
            .map(|(item, art)| item.restore(art))
            .collect::<Result<Vec<_>, _>>()?;
        let address = |column, text: &Option<String>| {
            stored.read_option(column, text.as_deref(), json::read_address)
        };
        Ok(OrderParts {
            id: stored.read("id", self.id.parse())?,
            store_id: stored.read("store_id", self.store_id.parse())?,
            label_url: self.label_url.clone(),
            source: stored.read("source", source_of(&self.source))?,
            test: self.test,
            currency: stored.read("currency", self.currency.parse())?,
            shipping_address: address("shipping_address", &self.shipping_address)?,
            billing_address: address("billing_address", &self.billing_address)?,
            bill: stored.read("bill", bill::read(&self.bill, &items))?,
            priced_at: Timestamp::from_millis(self.priced_at),
            fingerprint: stored.read("fingerprint", Fingerprint::from_bytes(&self.fingerprint))?,
            order_id: self.order_id.clone(),
            email: self.email.clone(),
            customer: Customer {
                first_name: self.customer_first_name.clone(),
                last_name: self.customer_last_name.clone(),
            },
            production_note: self.production_note.clone(),
            items,
        })
    }

    pub(super) fn number(&self) -> Result<ServiceOrderId, RepositoryError> {
        let stored = StoredRow("orders", &[&self.store_id, &self.id]);
        Ok(ServiceOrderId {
            prefix: stored.read("prefix", FromStr::from_str(&self.prefix))?,
            number: self.number,
        })
    }
}

pub(crate) fn source_of(text: &str) -> Result<Source, String> {
    Source::from_name(text).ok_or_else(|| format!("`{text}` is not a source of orders"))
}
