//! The row of a price of a price list.

use diesel::prelude::*;
use pressline_domain::catalog::{ListPrice, ListPriceParts};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{InvalidId, StoreId};
use pressline_domain::money::Amount;
use pressline_domain::time::Timestamp;

use crate::corrupt::StoredRow;
use crate::schema::prices;

price_columns!(define_row!
    /// A price of a price list; the service's list has an empty store id.
    #[derive(Debug, Eq, AsChangeset)]
    #[diesel(table_name = prices, primary_key(store_id, sku, currency, valid_from))]
    PriceRow
);

price_columns!(read_row! PriceRow);

impl PriceRow {
    /// The row of a price.
    pub fn new(price: &ListPrice) -> Self {
        Self {
            store_id: list_id(price.store),
            sku: price.sku.clone(),
            currency: price.currency.code().to_owned(),
            valid_from: price.valid_from.as_millis(),
            amount: price.amount.minor_units(),
        }
    }

    /// The price.
    ///
    /// # Errors
    /// [`RepositoryError::Corrupt`] where a column does not hold what it should.
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
        // The other columns are in the key as well, and any text is a SKU but the empty one.
        stored.read("valid_from", ListPrice::new(parts))
    }
}

/// How the rows of a store's list name it, and those of the service's.
pub(crate) fn list_id(store: Option<StoreId>) -> String {
    store.map_or_else(String::new, |store| store.to_string())
}

/// The store that rows name so; none for the service.
pub(crate) fn list_of(store_id: &str) -> Result<Option<StoreId>, InvalidId> {
    if store_id.is_empty() {
        Ok(None)
    } else {
        store_id.parse().map(Some)
    }
}
