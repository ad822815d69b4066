//! The catalog in SQLite, as imports and exports use it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use pressline_domain::catalog::{CatalogAdmin, ImportOptions, Imported, ListPrice, Variant};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::StoreId;
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates};
use pressline_store_kit::schema::{
    catalog_version, fee_schedules, prices, products, shipping_rates,
};
use pressline_store_kit::{
    Caller, ImportPlan, PriceRow, VariantRow, blocking, fees_document, read_fees, read_shipping,
    shipping_document,
};

use super::import::Import;
use super::version;
use crate::SqliteStore;
use crate::connection::{Opener, Purpose};
use crate::error::Failure;

/// The one row of its table.
const ONLY: i32 = 1;

#[async_trait]
impl CatalogAdmin for SqliteStore {
    async fn import(
        &self,
        variants: &[Variant],
        options: &ImportOptions,
    ) -> Result<Imported, RepositoryError> {
        let imported = self
            .import_rows(ImportPlan::of_variants(variants)?, options)
            .await?;
        self.skus.forget();
        Ok(imported)
    }

    async fn variants(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Variant>, RepositoryError> {
        let after = after.map(str::to_owned);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows: Vec<VariantRow> = self
            .readers
            .call(move |connection| {
                let by_sku = products::table
                    .order(products::sku)
                    .limit(limit)
                    .select(VariantRow::as_select());
                Ok(match &after {
                    Some(after) => by_sku.filter(products::sku.gt(after)).load(connection)?,
                    None => by_sku.load(connection)?,
                })
            })
            .await?;
        rows.into_iter().map(VariantRow::restore).collect()
    }

    async fn set_prices(
        &self,
        prices: &[ListPrice],
        options: &ImportOptions,
    ) -> Result<Imported, RepositoryError> {
        self.import_rows(ImportPlan::of_prices(prices), options)
            .await
    }

    async fn prices(&self) -> Result<Vec<ListPrice>, RepositoryError> {
        let rows: Vec<PriceRow> = self
            .readers
            .call(|connection| {
                let key = (
                    prices::store_id,
                    prices::sku,
                    prices::currency,
                    prices::valid_from,
                );
                Ok(prices::table
                    .order(key)
                    .select(PriceRow::as_select())
                    .load(connection)?)
            })
            .await?;
        rows.into_iter().map(PriceRow::restore).collect()
    }

    async fn set_shipping(&self, rates: &ShippingRates) -> Result<bool, RepositoryError> {
        let document = shipping_document(rates)?;
        self.change(move |connection| {
            let there = shipping_rates::table
                .select(shipping_rates::document)
                .first(connection)
                .optional()?;
            let changes = there.as_ref() != Some(&document);
            if changes {
                diesel::insert_into(shipping_rates::table)
                    .values((
                        shipping_rates::id.eq(ONLY),
                        shipping_rates::document.eq(&document),
                    ))
                    .on_conflict(shipping_rates::id)
                    .do_update()
                    .set(shipping_rates::document.eq(&document))
                    .execute(connection)?;
            }
            Ok((changes, changes))
        })
        .await
    }

    async fn set_fees(
        &self,
        schedules: &[(Option<StoreId>, Option<&FeeSchedule>)],
    ) -> Result<usize, RepositoryError> {
        let document = |(store, schedule): &(Option<StoreId>, Option<&FeeSchedule>)| {
            let document = schedule
                .map(|schedule| fees_document(*store, schedule))
                .transpose()?;
            let store_id = store.as_ref().map_or_else(String::new, StoreId::to_string);
            Ok((store_id, document.map(|(_, document)| document)))
        };
        let documents: Vec<(String, Option<String>)> = schedules
            .iter()
            .map(document)
            .collect::<Result<_, RepositoryError>>()?;
        self.change(move |connection| {
            let mut changed = 0;
            for (store_id, document) in &documents {
                changed += usize::from(set_fees(connection, store_id, document.as_ref())?);
            }
            Ok((changed > 0, changed))
        })
        .await
    }

    async fn shipping(&self) -> Result<Option<ShippingRates>, RepositoryError> {
        let document: Option<String> = self
            .readers
            .call(|connection| {
                Ok(shipping_rates::table
                    .select(shipping_rates::document)
                    .first(connection)
                    .optional()?)
            })
            .await?;
        document.as_deref().map(read_shipping).transpose()
    }

    async fn fees(&self) -> Result<Vec<(Option<StoreId>, FeeSchedule)>, RepositoryError> {
        let rows: Vec<(String, String)> = self
            .readers
            .call(|connection| {
                Ok(fee_schedules::table
                    .order(fee_schedules::store_id)
                    .load(connection)?)
            })
            .await?;
        rows.iter()
            .map(|(store_id, document)| read_fees(store_id, document))
            .collect()
    }
}

/// Replaces a schedule, or takes it away, and tells whether that changes something.
fn set_fees(
    connection: &mut SqliteConnection,
    store_id: &str,
    document: Option<&String>,
) -> Result<bool, Failure> {
    let own = fee_schedules::table.find(store_id);
    let there: Option<String> = own
        .select(fee_schedules::document)
        .first(connection)
        .optional()?;
    let changes = there.as_ref() != document;
    match document {
        Some(document) if changes => {
            diesel::insert_into(fee_schedules::table)
                .values((
                    fee_schedules::store_id.eq(store_id),
                    fee_schedules::document.eq(document),
                ))
                .on_conflict(fee_schedules::store_id)
                .do_update()
                .set(fee_schedules::document.eq(document))
                .execute(connection)?;
        }
        None if changes => {
            diesel::delete(own).execute(connection)?;
        }
        _ => {}
    }
    Ok(changes)
}

/// How long a change of the catalog waits for other writes: it comes from a person or a script, who
/// prefers to wait. Orders keep their short wait.
const WAIT: Duration = Duration::from_secs(30);

impl SqliteStore {
    /// Imports rows, or only says what would change, in one transaction.
    ///
    /// The rows are compared before the write lock is taken, because orders wait for the lock: it
    /// is held only while changed rows are written, and not at all where nothing changes.
    async fn import_rows<I: Import>(
        &self,
        import: I,
        options: &ImportOptions,
    ) -> Result<Imported, RepositoryError> {
        let (opener, options) = (Arc::clone(&self.opener), options.clone());
        // Dropped where the caller stops waiting, which ends the import.
        let caller = Caller::default();
        let awaited = caller.awaited();
        blocking(move || {
            // A connection of its own, as comparing may take longer than a request may.
            let mut reader = opener.open(Purpose::Read)?;
            let compared = reader.transaction(|reader| {
                Ok::<_, Failure>((
                    version(reader)?,
                    import.compare(reader, &options, &awaited)?,
                ))
            });
            let (seen, changes) = compared?;
            drop(reader);
            if options.dry_run {
                return Ok(I::outcome(changes));
            }
            let changes = match I::is_empty(&changes) {
                true => changes,
                false => in_transaction(&opener, |connection| {
                    // Another import came in between.
                    let changes = match version(connection)? == seen {
                        true => changes,
                        false => import.compare(connection, &options, &awaited)?,
                    };
                    I::write(&changes, connection, &options, &awaited)?;
                    Ok((!I::is_empty(&changes), changes))
                })?,
            };
            Ok(I::outcome(changes))
        })
        .await
    }

    /// Changes the catalog in one transaction. The work says whether it did, and returns what came
    /// of it.
    async fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut SqliteConnection) -> Result<(bool, T), Failure> + Send + 'static,
    ) -> Result<T, RepositoryError> {
        let opener = Arc::clone(&self.opener);
        blocking(move || in_transaction(&opener, work)).await
    }
}

/// Writes in one transaction, and gives the catalog a new version where the work says that it
/// changed something.
///
/// On a connection of its own: the one that writes orders would keep them waiting as long as this
/// waits for the lock.
fn in_transaction<T>(
    opener: &Opener,
    work: impl FnOnce(&mut SqliteConnection) -> Result<(bool, T), Failure>,
) -> Result<T, RepositoryError> {
    let mut connection = opener.open_waiting(Purpose::Write, WAIT)?;
    let done = connection.immediate_transaction(|connection| {
        let (changes, done) = work(connection)?;
        if changes {
            diesel::update(catalog_version::table)
                .set(catalog_version::version.eq(catalog_version::version + 1))
                .execute(connection)?;
        }
        Ok::<_, Failure>(done)
    });
    Ok(done?)
}
