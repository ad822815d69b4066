//! Statements that export the catalog and replace its documents, within a transaction of the
//! caller.

use diesel::QueryResult;
use pressline_domain::catalog::{ListPrice, Variant};
use pressline_domain::error::RepositoryError;
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates, Tariff};
use pressline_domain::value::id::StoreId;

use super::documents::{fees_document, read_fees, read_shipping, shipping_document};
use super::price::{PriceRow, list_id};
use super::variant::VariantRow;
use crate::cold_store::Failure;
use crate::cold_value::Value;
use crate::connection::{ColdConnection, execute, load};

/// Store id and JSON document of a fee schedule. The id is empty for the service's schedule. `None`
/// removes the store's own schedule.
pub type FeeDocument = (String, Option<String>);

/// Returns the documents of `schedules`.
///
/// # Errors
/// [`RepositoryError::Refused`] if a schedule cannot be written as JSON.
pub fn fee_documents(
    schedules: &[(Option<StoreId>, Option<&FeeSchedule>)],
) -> Result<Vec<FeeDocument>, RepositoryError> {
    schedules
        .iter()
        .map(|(store, schedule)| match schedule {
            None => Ok((list_id(*store), None)),
            Some(schedule) => {
                let (store_id, document) = fees_document(*store, schedule)?;
                Ok((store_id, Some(document)))
            }
        })
        .collect()
}

/// Catalog tables on a connection.
pub struct CatalogTables<'c>(pub &'c mut dyn ColdConnection);

impl CatalogTables<'_> {
    /// Returns up to `limit` variants with SKUs greater than `after`, sorted by SKU.
    ///
    /// # Errors
    /// Returns an error if the query fails or a column has an invalid value.
    pub fn variants(&mut self, after: Option<&str>, limit: usize) -> Result<Vec<Variant>, Failure> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let limit = ("limit", Value::BigInt(limit));
        let rows = match after {
            None => load(
                self.0,
                "SELECT products.* FROM products ORDER BY sku LIMIT :limit",
                &[limit],
            ),
            Some(after) => load(
                self.0,
                "SELECT products.* FROM products WHERE sku > :after ORDER BY sku LIMIT :limit",
                &[limit, ("after", Value::text(after))],
            ),
        }?;
        restored(rows, VariantRow::restore)
    }

    /// Returns all prices of all price lists.
    ///
    /// # Errors
    /// Returns an error if the query fails or a column has an invalid value.
    pub fn prices(&mut self) -> Result<Vec<ListPrice>, Failure> {
        let text = "SELECT prices.* FROM prices ORDER BY store_id, sku, currency, valid_from";
        let rows = load(self.0, text, &[])?;
        restored(rows, PriceRow::restore)
    }

    /// Returns the shipping rates.
    ///
    /// # Errors
    /// Returns an error if the query fails or the document is invalid.
    pub fn shipping(&mut self) -> Result<Option<ShippingRates>, Failure> {
        let document = self.shipping_document()?;
        Ok(document.as_deref().map(read_shipping).transpose()?)
    }

    fn shipping_document(&mut self) -> QueryResult<Option<String>> {
        let text = "SELECT document FROM shipping_rates WHERE id = 1";
        Ok(load::<String>(self.0, text, &[])?.pop())
    }

    /// Replaces the document of the shipping rates. Returns `false` if it is unchanged.
    ///
    /// # Errors
    /// Returns an error if a statement fails.
    pub fn set_shipping(&mut self, document: &str) -> QueryResult<bool> {
        // An unchanged document must not raise the catalog version.
        if self.shipping_document()?.as_deref() == Some(document) {
            return Ok(false);
        }
        execute(
            self.0,
            "INSERT INTO shipping_rates (id, document) VALUES (1, :document)
             ON CONFLICT (id) DO UPDATE SET document = excluded.document",
            &[("document", Value::text(document))],
        )?;
        Ok(true)
    }

    /// Returns all fee schedules, each with its store.
    ///
    /// # Errors
    /// Returns an error if the query fails or a document is invalid.
    pub fn fees(&mut self) -> Result<Vec<(Option<StoreId>, FeeSchedule)>, Failure> {
        let text = "SELECT store_id, document FROM fee_schedules ORDER BY store_id";
        let rows = load::<(String, String)>(self.0, text, &[])?;
        restored(rows, |(store_id, document)| read_fees(&store_id, &document))
    }

    /// Replaces or removes fee schedules. Returns the number of schedules that changed.
    ///
    /// # Errors
    /// Returns an error if a statement fails.
    pub fn set_fees(&mut self, documents: &[FeeDocument]) -> QueryResult<usize> {
        let mut changed = 0;
        for (store_id, document) in documents {
            changed += usize::from(self.set_fee_schedule(store_id, document.as_deref())?);
        }
        Ok(changed)
    }

    fn set_fee_schedule(&mut self, store_id: &str, document: Option<&str>) -> QueryResult<bool> {
        let key = [("store_id", Value::text(store_id))];
        let text = "SELECT document FROM fee_schedules WHERE store_id = :store_id";
        let stored = load::<String>(self.0, text, &key)?.pop();
        // An unchanged schedule must not raise the catalog version.
        if stored.as_deref() == document {
            return Ok(false);
        }
        match document {
            None => execute(
                self.0,
                "DELETE FROM fee_schedules WHERE store_id = :store_id",
                &key,
            )?,
            Some(document) => execute(
                self.0,
                "INSERT INTO fee_schedules (store_id, document) VALUES (:store_id, :document)
                 ON CONFLICT (store_id) DO UPDATE SET document = excluded.document",
                &[
                    ("store_id", Value::text(store_id)),
                    ("document", Value::text(document)),
                ],
            )?,
        };
        Ok(true)
    }

    pub(crate) fn set_tariff(&mut self, tariff: &Tariff) -> Result<(), Failure> {
        self.set_shipping(&shipping_document(&tariff.shipping)?)?;
        self.set_fees(&fee_documents(&[(None, Some(&tariff.fees))])?)?;
        Ok(())
    }

    /// Increments the catalog version.
    ///
    /// # Errors
    /// Returns an error if the statement fails.
    pub fn count_version(&mut self) -> QueryResult<()> {
        let text = "UPDATE catalog_version SET version = version + 1";
        execute(self.0, text, &[])?;
        Ok(())
    }
}

fn restored<R, T>(
    rows: Vec<R>,
    restore: impl Fn(R) -> Result<T, RepositoryError>,
) -> Result<Vec<T>, Failure> {
    let values = rows.into_iter().map(restore);
    Ok(values.collect::<Result<_, _>>()?)
}
