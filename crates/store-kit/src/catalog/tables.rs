//! Statements that look up rows of the catalog and replace its documents. The shipping rates and
//! each fee schedule are a JSON document.

use diesel::QueryResult;
use pressline_domain::catalog::product_names::StoredVariant;
use pressline_domain::error::RepositoryError;
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates, Tariff};
use pressline_domain::value::StoreId;
use serde_json::json;

use super::import::ImportTable;
use super::price::{PriceKey, PriceRow, list_id, list_of};
use super::variant::{VariantRow, stored_variant};
use crate::connection::Db;
use crate::corrupt::StoredRow;
use crate::dialect::{Database, Texts};
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

/// Reads the shipping rates from `document`.
pub fn read_shipping(document: &str) -> Result<ShippingRates, RepositoryError> {
    StoredRow("shipping_rates", &["1"]).read("document", serde_json::from_str(document))
}

/// Reads a fee schedule, and its store: `None`, the service, if `store_id` is empty.
pub fn read_fees(
    store_id: &str,
    document: &str,
) -> Result<(Option<StoreId>, FeeSchedule), RepositoryError> {
    let stored = StoredRow("fee_schedules", &[store_id]);
    let store = stored.read("store_id", list_of(store_id))?;
    let schedule = stored.read("document", serde_json::from_str(document))?;
    Ok((store, schedule))
}

/// Variants on sale of given products, then retired variants. Two statements with a constant
/// condition each, so that each uses its partial index.
const OF_PRODUCTS: [Texts; 2] = [
    Texts {
        postgres: "SELECT sku, product_id, product_name, retired
             FROM products
             WHERE COALESCE(product_id, sku) = ANY(ARRAY(SELECT json_array_elements_text(:ids::json)))
               AND NOT retired",
        sqlite: "SELECT sku, product_id, product_name, retired
             FROM products
             WHERE COALESCE(product_id, sku) IN (SELECT value FROM json_each(:ids))
               AND retired = 0",
    },
    Texts {
        postgres: "SELECT sku, product_id, product_name, retired
             FROM products
             WHERE COALESCE(product_id, sku) = ANY(ARRAY(SELECT json_array_elements_text(:ids::json)))
               AND retired",
        sqlite: "SELECT sku, product_id, product_name, retired
             FROM products
             WHERE COALESCE(product_id, sku) IN (SELECT value FROM json_each(:ids))
               AND retired = 1",
    },
];

impl Db<'_> {
    pub(crate) fn shipping_document(&mut self) -> QueryResult<Option<String>> {
        let text = "SELECT document FROM shipping_rates WHERE id = 1";
        self.first(text, &[])
    }

    /// Returns `false` if the stored document is equal.
    pub(crate) fn set_shipping(&mut self, document: &str) -> QueryResult<bool> {
        // An unchanged document must not raise the catalog version.
        if self.shipping_document()?.as_deref() == Some(document) {
            return Ok(false);
        }
        self.execute(
            "INSERT INTO shipping_rates (id, document) VALUES (1, :document)
             ON CONFLICT (id) DO UPDATE SET document = excluded.document",
            &[("document", document.into())],
        )?;
        Ok(true)
    }

    /// Returns the number of changed schedules.
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
        let stored = self.first::<String>(text, &key)?;
        if stored.as_deref() == document {
            return Ok(false);
        }
        match document {
            None => self.execute("DELETE FROM fee_schedules WHERE store_id = :store_id", &key)?,
            Some(document) => self.execute(
                "INSERT INTO fee_schedules (store_id, document) VALUES (:store_id, :document)
                 ON CONFLICT (store_id) DO UPDATE SET document = excluded.document",
                &[("store_id", store_id.into()), ("document", document.into())],
            )?,
        };
        Ok(true)
    }

    pub(crate) fn set_tariff(&mut self, tariff: &Tariff) -> Result<(), Failure> {
        self.set_shipping(&json::write(&tariff.shipping)?)?;
        self.set_fees(&fee_documents(&[(None, Some(&tariff.fees))])?)?;
        Ok(())
    }

    /// Locks the catalog against other changes until the transaction ends, so that two changes
    /// cannot deadlock on rows. Readers do not wait. SQLite has one writer at a time anyway.
    pub fn lock_catalog(&mut self) -> QueryResult<()> {
        if self.dialect.database == Database::Postgres {
            self.execute("SELECT version FROM catalog_version FOR UPDATE", &[])?;
        }
        Ok(())
    }

    /// Deletes the prices with `keys`, in PostgreSQL: SQLite ends them instead.
    pub fn delete_prices(&mut self, keys: &[PriceKey]) -> Result<(), Failure> {
        let text = include_str!("sql/delete_prices.postgres.sql");
        self.run(text, &[("rows", key_rows(keys)?.into())])
    }

    /// Increments the catalog version.
    pub fn count_catalog_version(&mut self) -> QueryResult<()> {
        let text = "UPDATE catalog_version SET version = version + 1";
        self.execute(text, &[])?;
        Ok(())
    }
}

/// Returns `keys` as a JSON array of objects.
fn key_rows(keys: &[PriceKey]) -> Result<String, RepositoryError> {
    let row = |(store_id, sku, currency, valid_from): &PriceKey| json!({ "store_id": store_id, "sku": sku, "currency": currency, "valid_from": valid_from });
    json::write(&keys.iter().map(row).collect::<Vec<_>>())
}

impl ImportTable<VariantRow> for Db<'_> {
    fn stored(&mut self, skus: &[String]) -> Result<Vec<VariantRow>, Failure> {
        let text = Texts {
            postgres:
                "SELECT
                     sku, name, price, currency, areas, product_id, product_name, options, ship_classes,
                     weight_grams, retired
                 FROM products
                 WHERE sku = ANY(ARRAY(SELECT json_array_elements_text(:skus::json)))",
            sqlite:
                "SELECT
                     sku, name, price, currency, areas, product_id, product_name, options, ship_classes,
                     weight_grams, retired
                 FROM products
                 WHERE sku IN (SELECT value FROM json_each(:skus))",
        };
        let values = [("skus", json::write(&skus)?.into())];
        Ok(self.load(text, &values)?)
    }

    fn all(&mut self, _: &[VariantRow]) -> Result<Vec<String>, Failure> {
        let text = "SELECT sku FROM products WHERE NOT retired";
        Ok(self.load(text, &[])?)
    }

    fn of_products(&mut self, ids: &[&str]) -> Result<Vec<StoredVariant>, Failure> {
        let values = [("ids", text_list(ids)?.into())];
        let mut stored = Vec::new();
        for text in OF_PRODUCTS {
            let rows = self.load(text, &values)?;
            stored.extend(rows.into_iter().map(stored_variant));
        }
        Ok(stored)
    }
}

impl ImportTable<PriceRow> for Db<'_> {
    fn stored(&mut self, keys: &[PriceKey]) -> Result<Vec<PriceRow>, Failure> {
        let text = Texts {
            postgres: "SELECT
                     prices.sku, prices.store_id, prices.currency, prices.valid_from, prices.amount
                 FROM json_to_recordset(:rows::json)
                     AS given(store_id text, sku text, currency text, valid_from bigint)
                 CROSS JOIN prices
                 WHERE prices.store_id = given.store_id
                   AND prices.sku = given.sku
                   AND prices.currency = given.currency
                   AND prices.valid_from = given.valid_from",
            sqlite: "SELECT
                     prices.sku, prices.store_id, prices.currency, prices.valid_from, prices.amount
                 FROM json_each(:rows) AS given
                 CROSS JOIN prices
                 WHERE prices.store_id = given.value ->> 'store_id'
                   AND prices.sku = given.value ->> 'sku'
                   AND prices.currency = given.value ->> 'currency'
                   AND prices.valid_from = given.value ->> 'valid_from'",
        };
        let values = [("rows", key_rows(keys)?.into())];
        Ok(self.load(text, &values)?)
    }

    fn all(&mut self, rows: &[PriceRow]) -> Result<Vec<PriceKey>, Failure> {
        let text = "SELECT store_id, sku, currency, valid_from FROM prices WHERE store_id = :list";
        let mut keys = Vec::new();
        let mut lists: Vec<&str> = rows.iter().map(|row| row.store_id.as_str()).collect();
        // Equal lists are neighbours, because the rows are sorted by list.
        lists.dedup();
        for list in lists {
            let of_list = self.load::<PriceKey>(text, &[("list", list.into())])?;
            keys.extend(of_list);
        }
        Ok(keys)
    }
}
