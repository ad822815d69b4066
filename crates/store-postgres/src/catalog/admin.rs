//! The catalog in PostgreSQL, as imports and exports use it.

use std::thread;

use async_trait::async_trait;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use diesel::prelude::*;
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

use super::import::{Prices, Variants};
use crate::error::{Failure, Remedy};
use crate::session::{Manager, Plans};
use crate::{PostgresStore, retry};

/// The one row of its table.
const ONLY: i32 = 1;

#[async_trait]
impl CatalogAdmin for PostgresStore {
    async fn import(
        &self,
        variants: &[Variant],
        options: &ImportOptions,
    ) -> Result<Imported, RepositoryError> {
        let (plan, options) = (ImportPlan::of_variants(variants)?, options.clone());
        let caller = Caller::default();
        let awaited = caller.awaited();
        let imported = self
            .change(options.dry_run, move |connection| {
                let changes = plan.compare(&mut Variants(connection), &options, &awaited)?;
                if !options.dry_run {
                    changes.write(&mut Variants(connection), &options, &awaited)?;
                }
                Ok((!changes.is_empty(), changes.imported))
            })
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
            .pool
            .call(move |connection, _| {
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
        let (plan, options) = (ImportPlan::of_prices(prices), options.clone());
        let caller = Caller::default();
        let awaited = caller.awaited();
        self.change(options.dry_run, move |connection| {
            let changes = plan.compare(&mut Prices(connection), &options, &awaited)?;
            if !options.dry_run {
                changes.write(&mut Prices(connection), &options, &awaited)?;
            }
            Ok((!changes.is_empty(), changes.imported))
        })
        .await
    }

    async fn prices(&self) -> Result<Vec<ListPrice>, RepositoryError> {
        let rows: Vec<PriceRow> = self
            .pool
            .call(|connection, _| {
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
        self.change(false, move |connection| {
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
        self.change(false, move |connection| {
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
            .pool
            .call(|connection, _| {
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
            .pool
            .call(|connection, _| {
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
    connection: &mut PgConnection,
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

impl PostgresStore {
    /// Changes the catalog in one transaction, which tells whether it did and what came of it. On a
    /// connection of its own, as it may take longer than a request.
    async fn change<T: Send + 'static>(
        &self,
        dry_run: bool,
        mut work: impl FnMut(&mut PgConnection) -> Result<(bool, T), Failure> + Send + 'static,
    ) -> Result<T, RepositoryError> {
        let manager = self.pool.manager();
        blocking(move || {
            let mut conflicts = 0;
            loop {
                let failure = match attempt(&manager, dry_run, &mut work)? {
                    Ok(done) => return Ok(done),
                    Err(failure) => failure,
                };
                if failure.remedy() != Remedy::TryAgain || conflicts >= retry::CONFLICTS {
                    return Err(failure.into_repository(false));
                }
                conflicts += 1;
                thread::sleep(retry::pause(conflicts));
            }
        })
        .await
    }
}

/// How long a change waits for the one before it.
const WAIT: &str = "60s";

fn attempt<T>(
    manager: &Manager,
    dry_run: bool,
    work: &mut impl FnMut(&mut PgConnection) -> Result<(bool, T), Failure>,
) -> Result<Result<T, Failure>, RepositoryError> {
    let mut connection = manager
        .open(Plans::Auto)
        .map_err(|error| RepositoryError::Unavailable(error.into()))?;
    if dry_run {
        // Reads one state, and keeps nobody waiting.
        let mut transaction = connection.build_transaction().repeatable_read().read_only();
        return Ok(transaction.run(|connection| Ok(work(connection)?.1)));
    }
    Ok(connection.transaction(|connection| {
        connection.batch_execute(&format!(
            "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '{WAIT}'"
        ))?;
        lock(connection)?;
        let (changes, done) = work(connection)?;
        if changes {
            diesel::update(catalog_version::table)
                .set(catalog_version::version.eq(catalog_version::version + 1))
                .execute(connection)?;
        }
        Ok(done)
    }))
}

/// Waits for other changes of the catalog, so that no two of them can wait for each other's rows.
/// Who only reads does not wait.
fn lock(connection: &mut PgConnection) -> QueryResult<()> {
    catalog_version::table
        .select(catalog_version::version)
        .for_update()
        .execute(connection)?;
    Ok(())
}
