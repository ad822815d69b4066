//! Row of a price in a price list.

use pressline_domain::catalog::{ListPrice, ListPriceParts};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::{Amount, InvalidId, StoreId, Timestamp};

use crate::corrupt::StoredRow;
use crate::sql::Row;

/// Row of a price. `store_id` names its price list; it is empty for the service's price list.
#[derive(Debug, Clone, PartialEq, Eq, Row)]
#[expect(
    missing_docs,
    reason = "the columns are described where they are created, in the migrations"
)]
pub struct PriceRow {
    pub sku: String,
    pub store_id: String,
    pub currency: String,
    pub valid_from: i64,
    pub amount: i64,
}

/// Store id, SKU, currency and `valid_from` of a price.
pub type PriceKey = (String, String, String, i64);

impl PriceRow {
    /// Creates the row of `price`, with the amount in minor units.
    pub fn new(price: &ListPrice) -> Self {
        Self {
            store_id: list_id(price.store),
            sku: price.sku.clone(),
            currency: price.currency.code().to_owned(),
            valid_from: price.valid_from.as_millis(),
            amount: price.amount.minor_units(),
        }
    }

    /// Converts the row to a price, and checks the values.
    pub fn restore(self) -> Result<ListPrice, RepositoryError> {
        let from = self.valid_from.to_string();
        let stored = StoredRow(
            "prices",
            &[&self.store_id, &self.sku, &self.currency, &from],
        );
        let parts = ListPriceParts {
            store: stored.read("store_id", list_of(&self.store_id))?,
            currency: stored.read("currency", self.currency.parse())?,
            amount: stored.read("amount", Amount::from_minor(self.amount))?,
            valid_from: Timestamp::from_millis(self.valid_from),
            sku: self.sku.clone(),
        };
        // The other columns are part of the error's key, and any non-empty string is a valid SKU.
        stored.read("valid_from", ListPrice::new(parts))
    }
}

/// Returns an empty string for `None`, the service's price list.
pub(crate) fn list_id(store: Option<StoreId>) -> String {
    store.map_or_else(String::new, |store| store.to_string())
}

/// Returns `None`, the service, if `store_id` is empty.
pub(crate) fn list_of(store_id: &str) -> Result<Option<StoreId>, InvalidId> {
    if store_id.is_empty() {
        Ok(None)
    } else {
        store_id.parse().map(Some)
    }
}
