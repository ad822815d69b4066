//! Products with their prices, as a store may order them.

use std::fmt;
use std::sync::Arc;

use super::variant::Variant;
use crate::checked::{Checked, Rules, rules_broken};
use crate::id::StoreId;
use crate::money::{Amount, Currency};
use crate::time::Timestamp;

/// The ship class of an item that names none.
pub const STANDARD_SHIP_CLASS: &str = "Standard";

/// A state of the catalog. It grows with every import that changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct CatalogVersion(pub i64);

/// A price of a price list: the service's own list, or that of one store, which comes before it.
pub type ListPrice = Checked<ListPriceParts>;

/// Everything a [`ListPrice`] is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPriceParts {
    /// The store whose list it is; `None` for the service's list.
    pub store: Option<StoreId>,
    /// The variant; not empty.
    pub sku: String,
    /// The currency: that of the store, or any in the service's list.
    pub currency: Currency,
    /// From when on it holds, until a later one of the same list does; not before 1970.
    pub valid_from: Timestamp,
    /// What one unit costs.
    pub amount: Amount,
}

/// A rule that parts of a price break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ListPriceError {
    /// The SKU is empty.
    #[error("a price is that of a SKU")]
    Sku,
    /// It holds from a moment before 1970.
    #[error("before 1970; write 1970-01-01 for a price without a beginning")]
    ValidFrom,
}

impl Rules for ListPriceParts {
    type Broken = ListPriceError;

    fn broken(&self) -> Vec<ListPriceError> {
        rules_broken([
            (self.sku.is_empty(), ListPriceError::Sku),
            (self.valid_from.as_millis() < 0, ListPriceError::ValidFrom),
        ])
    }
}

/// A variant as one store may order it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// The variant, which offers for several stores share.
    pub variant: Arc<Variant>,
    /// The prices of the service's list and of the store's own, of any time, in any order.
    pub prices: Vec<ListPrice>,
}

/// What a unit costs, and where that stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitPrice {
    /// What it costs.
    pub amount: Amount,
    /// Where it stands.
    pub source: PriceSource,
}

/// Where a price stands; shown as words for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriceSource {
    /// In the catalog itself.
    Catalog,
    /// In the service's price list, from this moment on.
    List(Timestamp),
    /// In the store's own price list, from this moment on.
    StoreList(Timestamp),
}

impl fmt::Display for PriceSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Catalog => f.write_str("the catalog"),
            Self::List(from) => write!(f, "the price list, valid from {from}"),
            Self::StoreList(from) => write!(f, "the store's price list, valid from {from}"),
        }
    }
}

impl Offered {
    /// What a unit costs at a moment in a currency: by the store's price list, else by the
    /// service's, else by the catalog. `None` where none of them has a price in this currency.
    pub fn unit_price(&self, currency: Currency, at: Timestamp) -> Option<UnitPrice> {
        let valid = |own: bool| {
            let prices = self.prices.iter().filter(|price| {
                let is_in_list = price.store.is_some() == own && price.currency == currency;
                is_in_list && price.valid_from <= at
            });
            prices.max_by_key(|price| price.valid_from)
        };
        if let Some(price) = valid(true).or_else(|| valid(false)) {
            let source = match price.store {
                Some(_) => PriceSource::StoreList(price.valid_from),
                None => PriceSource::List(price.valid_from),
            };
            let amount = price.amount;
            return Some(UnitPrice { amount, source });
        }
        let amount = self.variant.price;
        let source = PriceSource::Catalog;
        let amount = amount.filter(|_| self.variant.currency == currency)?;
        Some(UnitPrice { amount, source })
    }
}

/// A product with those of its variants that are not retired, as one store may order them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// Unique in the catalog.
    pub id: String,
    /// The name shown to people.
    pub name: String,
    /// The variants, by SKU; at least one.
    pub variants: Vec<Offered>,
}

impl Product {
    /// A product with its first variant.
    pub fn new(first: Offered) -> Self {
        Self {
            id: first.variant.product.id.clone(),
            name: first.variant.product_name().to_owned(),
            variants: vec![first],
        }
    }
}
