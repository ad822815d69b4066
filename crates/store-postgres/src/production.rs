//! Progress and batches in PostgreSQL. The statements are those of the store kit.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::Connection;
use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{ItemId, OrderId, StoreId};
use pressline_domain::production::{
    Batch, BatchHeader, BatchNumber, BatchQuery, BatchRepository, CreatedBatch, ItemProgress,
    NewBatch, ProductionRecord, ProgressRepository, Stamp, TakenItem,
};
use pressline_store_kit::{Production, ProductionDialect};

use crate::PostgresStore;
use crate::error::Failure;
use crate::store::LOCKS;
use crate::webhook::{self, one_by_one};

/// How statements name their rows.
pub const DIALECT: ProductionDialect = ProductionDialect {
    in_texts: webhook::DIALECT.in_texts,
    rows: webhook::DIALECT.rows,
};

fn production(connection: &mut PgConnection) -> Production<'_, PgConnection, Failure> {
    Production::new(connection, LOCKS, &DIALECT)
}

#[async_trait]
impl ProgressRepository for PostgresStore {
    #[tracing::instrument(name = "db.progress.record", level = "debug", skip_all)]
    async fn record(
        &self,
        progress: &ItemProgress,
        record: &ProductionRecord,
    ) -> Result<(), RepositoryError> {
        let (progress, record) = (progress.clone(), record.clone());
        self.pool
            .call(move |connection, in_doubt| {
                // An earlier try, whose end is not known, may have been committed.
                if in_doubt && is_recorded(connection, &record)? {
                    return Ok(());
                }
                connection.transaction(|connection| {
                    match production(connection).record(&progress, &record)? {
                        true => Ok(()),
                        false => Err(RepositoryError::Stale.into()),
                    }
                })
            })
            .await
    }

    #[tracing::instrument(name = "db.progress.find", level = "debug", skip_all)]
    async fn progress(
        &self,
        store: StoreId,
        orders: &[OrderId],
    ) -> Result<Vec<ItemProgress>, RepositoryError> {
        let orders = orders.to_vec();
        self.pool
            .call(move |connection, _| production(connection).progress(store, &orders))
            .await
    }

    #[tracing::instrument(name = "db.progress.records", level = "debug", skip_all)]
    async fn records(
        &self,
        store: StoreId,
        order: OrderId,
        item: Option<ItemId>,
        count: u32,
    ) -> Result<Vec<ProductionRecord>, RepositoryError> {
        self.pool
            .call(move |connection, _| production(connection).records(store, order, item, count))
            .await
    }
}

/// Whether a record is stored as it is here.
fn is_recorded(connection: &mut PgConnection, record: &ProductionRecord) -> Result<bool, Failure> {
    let place = record.place;
    let (store, order, item) = (place.store, place.order, Some(place.item));
    let records = production(connection).records(store, order, item, u32::MAX)?;
    Ok(records.contains(record))
}

#[async_trait]
impl BatchRepository for PostgresStore {
    #[tracing::instrument(name = "db.batch.create", level = "debug", skip_all)]
    async fn create(&self, batch: &NewBatch) -> Result<CreatedBatch, RepositoryError> {
        let (batch, pool) = (batch.clone(), Arc::clone(&self.pool));
        self.pool
            .call(move |connection, in_doubt| {
                let created = connection.transaction(|connection| {
                    one_by_one(connection, pool.is_distributed())?;
                    production(connection).create(&batch)
                })?;
                match created {
                    // An earlier try, whose end is not known, may have taken them.
                    CreatedBatch::Taken(taken) if in_doubt => {
                        let own = taken.first().map(|taken| taken.batch);
                        Ok(match own_batch(connection, own, &batch)? {
                            Some(header) => CreatedBatch::Stored(header),
                            None => CreatedBatch::Taken(taken),
                        })
                    }
                    created => Ok(created),
                }
            })
            .await
    }

    #[tracing::instrument(name = "db.batch.find", level = "debug", skip_all)]
    async fn find(&self, number: BatchNumber) -> Result<Option<Batch>, RepositoryError> {
        self.pool
            .call(move |connection, _| production(connection).find(number))
            .await
    }

    #[tracing::instrument(name = "db.batch.search", level = "debug", skip_all)]
    async fn search(&self, query: &BatchQuery) -> Result<Vec<BatchHeader>, RepositoryError> {
        let query = query.clone();
        self.pool
            .call(move |connection, _| production(connection).search(&query))
            .await
    }

    #[tracing::instrument(name = "db.batch.start", level = "debug", skip_all)]
    async fn start(
        &self,
        number: BatchNumber,
        stamp: Stamp,
    ) -> Result<Option<BatchHeader>, RepositoryError> {
        self.pool
            .call(move |connection, _| {
                connection.transaction(|connection| production(connection).start(number, stamp))
            })
            .await
    }

    #[tracing::instrument(name = "db.batch.close", level = "debug", skip_all)]
    async fn close(
        &self,
        number: BatchNumber,
        stamp: Stamp,
    ) -> Result<Option<BatchHeader>, RepositoryError> {
        let pool = Arc::clone(&self.pool);
        self.pool
            .call(move |connection, _| {
                connection.transaction(|connection| {
                    one_by_one(connection, pool.is_distributed())?;
                    production(connection).close(number, stamp)
                })
            })
            .await
    }

    #[tracing::instrument(name = "db.batch.open_items", level = "debug", skip_all)]
    async fn in_open_batches(
        &self,
        store: StoreId,
        orders: &[OrderId],
    ) -> Result<Vec<TakenItem>, RepositoryError> {
        let orders = orders.to_vec();
        self.pool
            .call(move |connection, _| production(connection).in_open_batches(store, &orders))
            .await
    }
}

/// Returns the batch with this number if it is stored as the new one is.
fn own_batch(
    connection: &mut PgConnection,
    number: Option<BatchNumber>,
    batch: &NewBatch,
) -> Result<Option<BatchHeader>, Failure> {
    let stored = match number {
        Some(number) => production(connection).find(number)?,
        None => None,
    };
    let is_own = |stored: &Batch| {
        let header = BatchHeader::of_new(stored.header.number, batch);
        stored.header == header && stored.items == batch.items
    };
    Ok(stored.filter(is_own).map(|stored| stored.header))
}
