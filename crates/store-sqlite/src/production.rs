//! Progress and batches in SQLite. The statements are those of the store kit.

use async_trait::async_trait;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{ItemId, OrderId, StoreId};
use pressline_domain::production::{
    Batch, BatchHeader, BatchNumber, BatchQuery, BatchRepository, CreatedBatch, ItemProgress,
    NewBatch, ProductionRecord, ProgressRepository, Stamp, TakenItem,
};
use pressline_store_kit::{Production, ProductionDialect, RowLocks};

use crate::SqliteStore;
use crate::error::Failure;
use crate::webhook;

/// How statements name their rows.
pub const DIALECT: ProductionDialect = ProductionDialect {
    in_texts: webhook::DIALECT.in_texts,
    rows: webhook::DIALECT.rows,
};

fn production(connection: &mut SqliteConnection) -> Production<'_, SqliteConnection, Failure> {
    // One connection writes at a time, so that no row needs a lock.
    Production::new(connection, RowLocks::default(), &DIALECT)
}

#[async_trait]
impl ProgressRepository for SqliteStore {
    #[tracing::instrument(name = "db.progress.record", level = "debug", skip_all)]
    async fn record(
        &self,
        progress: &ItemProgress,
        record: &ProductionRecord,
    ) -> Result<(), RepositoryError> {
        let (progress, record) = (progress.clone(), record.clone());
        self.change_alone(move |connection| {
            match production(connection).record(&progress, &record)? {
                true => Ok(()),
                false => Err(RepositoryError::Stale.into()),
            }
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
        self.readers
            .call(move |connection| production(connection).progress(store, &orders))
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
        self.readers
            .call(move |connection| production(connection).records(store, order, item, count))
            .await
    }
}

#[async_trait]
impl BatchRepository for SqliteStore {
    #[tracing::instrument(name = "db.batch.create", level = "debug", skip_all)]
    async fn create(&self, batch: &NewBatch) -> Result<CreatedBatch, RepositoryError> {
        let batch = batch.clone();
        self.change_alone(move |connection| production(connection).create(&batch))
            .await
    }

    #[tracing::instrument(name = "db.batch.find", level = "debug", skip_all)]
    async fn find(&self, number: BatchNumber) -> Result<Option<Batch>, RepositoryError> {
        self.readers
            .call(move |connection| production(connection).find(number))
            .await
    }

    #[tracing::instrument(name = "db.batch.search", level = "debug", skip_all)]
    async fn search(&self, query: &BatchQuery) -> Result<Vec<BatchHeader>, RepositoryError> {
        let query = query.clone();
        self.readers
            .call(move |connection| production(connection).search(&query))
            .await
    }

    #[tracing::instrument(name = "db.batch.start", level = "debug", skip_all)]
    async fn start(
        &self,
        number: BatchNumber,
        stamp: Stamp,
    ) -> Result<Option<BatchHeader>, RepositoryError> {
        self.change_alone(move |connection| production(connection).start(number, stamp))
            .await
    }

    #[tracing::instrument(name = "db.batch.close", level = "debug", skip_all)]
    async fn close(
        &self,
        number: BatchNumber,
        stamp: Stamp,
    ) -> Result<Option<BatchHeader>, RepositoryError> {
        self.change_alone(move |connection| production(connection).close(number, stamp))
            .await
    }

    #[tracing::instrument(name = "db.batch.open_items", level = "debug", skip_all)]
    async fn in_open_batches(
        &self,
        store: StoreId,
        orders: &[OrderId],
    ) -> Result<Vec<TakenItem>, RepositoryError> {
        let orders = orders.to_vec();
        self.readers
            .call(move |connection| production(connection).in_open_batches(store, &orders))
            .await
    }
}
