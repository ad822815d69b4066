//! Products with the prices for one store.

use std::fmt;
use std::sync::Arc;

use super::variant::Variant;
use crate::check::checked::{Checked, Rules, rules_broken};
use crate::value::{Amount, Currency, StoreId, Timestamp};

/// Ship class of an item without a `ship_class`.
pub(crate) const STANDARD_SHIP_CLASS: &str = "Standard";

/// Version of the catalog. Every import that changes products, prices, rates or fees increases it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct CatalogVersion(pub i64);

/// A price in a price list. A store's own list has priority over the service's list.
pub type ListPrice = Checked<ListPriceParts>;

/// Public fields of a [`ListPrice`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPriceParts {
    /// Store that owns the price list; `None` for the service's list.
    pub store: Option<StoreId>,
    /// SKU of the variant; not empty.
    pub sku: String,
    /// Currency of `amount`. In a store's list it is the currency of the store.
    pub currency: Currency,
    /// Start of validity, not before 1970. The price is valid until a later price of the same list,
    /// SKU and currency starts.
    pub valid_from: Timestamp,
    /// Price per unit, in `currency`.
    pub amount: Amount,
}

/// Rule that a [`ListPriceParts`] value breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ListPriceError {
    /// `sku` is empty.
    #[error("the SKU of a price must not be empty")]
    Sku,
    /// `valid_from` is before 1970.
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

/// A variant with the prices for a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// The variant; offers for several stores share it.
    pub variant: Arc<Variant>,
    /// Past, current and future prices of the service's list and the store's list, in any order.
    pub prices: Vec<ListPrice>,
}

/// Price of one unit of a variant, and the list that the price comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitPrice {
    /// Price per unit, in the currency that [`Offered::unit_price`] was called with.
    pub amount: Amount,
    /// Whether the price is from the store's list, the service's list or the catalog.
    pub source: PriceSource,
}

/// The list that a price comes from. `Display` writes it as words for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriceSource {
    /// The catalog: the variant's own price, which is in no price list.
    Catalog,
    /// The service's price list. Contains the start of the price's validity.
    List(Timestamp),
    /// The store's own price list. Contains the start of the price's validity.
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
    /// Returns the unit price in `currency` at the time `at`: from the store's list, else from the
    /// service's list, else from the catalog. `None` if none of them has a price in `currency`.
    pub fn unit_price(&self, currency: Currency, at: Timestamp) -> Option<UnitPrice> {
        let valid = |own: bool| {
            let prices = self.prices.iter().filter(|price| {
                let is_in_list = price.store.is_some() == own && price.currency == currency;
                is_in_list && price.valid_from <= at
            });
            prices.max_by_key(|price| price.valid_from)
        };
        // An own price has priority even if the service's list has a later price.
        if let Some(price) = valid(true).or_else(|| valid(false)) {
            let source = match price.store {
                Some(_) => PriceSource::StoreList(price.valid_from),
                None => PriceSource::List(price.valid_from),
            };
            let amount = price.amount;
            return Some(UnitPrice { amount, source });
        }
        let price = self.variant.price;
        let source = PriceSource::Catalog;
        let amount = price.filter(|_| self.variant.currency == currency)?;
        Some(UnitPrice { amount, source })
    }
}

/// Product with its variants, except retired variants. Each variant has the prices for one store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// Id of the product, unique in the catalog.
    pub id: String,
    /// Display name; if no import has named the product, the name of its first variant.
    pub name: String,
    /// Variants sorted by SKU; at least one.
    pub variants: Vec<Offered>,
}

impl Product {
    /// Returns the product of the variant `first`. Its list of variants contains only `first`.
    pub fn new(first: Offered) -> Self {
        Self {
            id: first.variant.product.id.clone(),
            name: first.variant.product_name().to_owned(),
            variants: vec![first],
        }
    }
}
