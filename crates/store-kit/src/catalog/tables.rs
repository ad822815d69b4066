//! Statements that look up rows of the catalog and replace its documents.

use diesel::QueryResult;
use pressline_domain::catalog::product_names::StoredVariant;
use pressline_domain::error::RepositoryError;
use pressline_domain::pricing::tariff::{FeeSchedule, Tariff};
use pressline_domain::value::id::StoreId;

use super::documents::shipping_document;
use super::price::{PriceKey, PriceRow, list_id};
use super::variant::stored_variant;
use crate::connection::{ColdConnection, execute, load};
use crate::dialect::Dialect;
use crate::dialect::RowLocks;
use crate::failure::Failure;
use crate::json::{self, text_list};

/// Store id and new JSON document of a fee schedule. The id is empty for the service's schedule.
/// The document `None` removes the schedule.
pub type FeeDocument = (String, Option<String>);

/// Returns `schedules` as JSON documents, each with its store id. The store `None` is the service;
/// a schedule that is `None` is to be removed.
///
/// # Errors
/// [`RepositoryError::Refused`] if a schedule cannot be written as JSON.
pub fn fee_documents(
    schedules: &[(Option<StoreId>, Option<&FeeSchedule>)],
) -> Result<Vec<FeeDocument>, RepositoryError> {
    schedules
        .iter()
        .map(|(store, schedule)| {
            let document = schedule.map(json::write).transpose()?;
            Ok((list_id(*store), document))
        })
        .collect()
}

/// Connection on which the statements about the catalog run.
pub struct CatalogTables<'c>(pub &'c mut dyn ColdConnection);

impl CatalogTables<'_> {
    pub(crate) fn shipping_document(&mut self) -> QueryResult<Option<String>> {
        let text = "SELECT document FROM shipping_rates WHERE id = 1";
        Ok(load::<String>(self.0, text, &[])?.pop())
    }

    /// Stores `document` as the shipping rates. Returns `false` if the stored document is equal.
    pub(crate) fn set_shipping(&mut self, document: &str) -> QueryResult<bool> {
        // An unchanged document must not raise the catalog version.
        if self.shipping_document()?.as_deref() == Some(document) {
            return Ok(false);
        }
        execute(
            self.0,
            "INSERT INTO shipping_rates (id, document) VALUES (1, :document)
             ON CONFLICT (id) DO UPDATE SET document = excluded.document",
            &[("document", document.into())],
        )?;
        Ok(true)
    }

    /// Stores or removes the fee schedules in `documents`. Returns the number of changed schedules.
    pub(crate) fn set_fees(&mut self, documents: &[FeeDocument]) -> QueryResult<usize> {
        let mut changed = 0;
        for (store_id, document) in documents {
            changed += usize::from(self.set_fee_schedule(store_id, document.as_deref())?);
        }
        Ok(changed)
    }

    fn set_fee_schedule(&mut self, store_id: &str, document: Option<&str>) -> QueryResult<bool> {
        let key = [("store_id", store_id.into())];
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
                &[("store_id", store_id.into()), ("document", document.into())],
            )?,
        };
        Ok(true)
    }

    pub(crate) fn set_tariff(&mut self, tariff: &Tariff) -> Result<(), Failure> {
        self.set_shipping(&shipping_document(&tariff.shipping)?)?;
        self.set_fees(&fee_documents(&[(None, Some(&tariff.fees))])?)?;
        Ok(())
    }

    /// Locks the catalog against other changes until the transaction ends, so that two changes
    /// cannot deadlock on rows. Readers do not wait. Does nothing in a database with one writer at
    /// a time.
    ///
    /// # Errors
    /// Returns an error if the statement fails.
    pub fn lock(&mut self, locks: RowLocks) -> QueryResult<()> {
        if !locks.exclusive.is_empty() {
            let text = format!("SELECT version FROM catalog_version {}", locks.exclusive);
            execute(self.0, &text, &[])?;
        }
        Ok(())
    }

    /// Returns the SKUs of all variants that are not retired.
    ///
    /// # Errors
    /// Returns an error if the query fails.
    pub fn skus_on_sale(&mut self) -> QueryResult<Vec<String>> {
        load(self.0, "SELECT sku FROM products WHERE NOT retired", &[])
    }

    /// Returns the keys of all stored prices in the price lists that `rows` belong to. `rows` must
    /// be sorted by key.
    ///
    /// # Errors
    /// Returns an error if a query fails.
    pub fn keys_of_lists(&mut self, rows: &[PriceRow]) -> QueryResult<Vec<PriceKey>> {
        let text = "SELECT store_id, sku, currency, valid_from FROM prices WHERE store_id = :list";
        let mut keys = Vec::new();
        let mut lists: Vec<&str> = rows.iter().map(|row| row.store_id.as_str()).collect();
        // Equal lists are neighbours, because the rows are sorted by list.
        lists.dedup();
        for list in lists {
            let of_list = load::<PriceKey>(self.0, text, &[("list", list.into())])?;
            keys.extend(of_list);
        }
        Ok(keys)
    }

    /// Returns all variants of the products `ids`, including retired variants.
    ///
    /// # Errors
    /// Returns an error if a query fails, or `ids` cannot be written as JSON.
    pub fn of_products(
        &mut self,
        ids: &[&str],
        dialect: &Dialect,
    ) -> Result<Vec<StoredVariant>, Failure> {
        let values = [("ids", text_list(ids)?.into())];
        let is_given = dialect.in_texts(":ids");
        let mut stored = Vec::new();
        // Literal conditions, so that each statement uses its partial index.
        for retired in dialect.retired {
            let text = format!(
                "SELECT sku, product_id, product_name, retired
                 FROM products
                 WHERE COALESCE(product_id, sku) {is_given}
                   AND {retired}"
            );
            let rows = load(self.0, &text, &values)?;
            stored.extend(rows.into_iter().map(stored_variant));
        }
        Ok(stored)
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
