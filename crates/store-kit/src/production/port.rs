//! Implements the ports of progress and batches.

use async_trait::async_trait;
use pressline_backoffice::production::{
    Batch, BatchHeader, BatchNumber, BatchQuery, BatchRepository, CreatedBatch, ItemInBatch,
    ItemProgress, NewBatch, ProductionRecord, ProgressRepository, Stamp,
};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::value::id::{ItemId, OrderId, StoreId};

use super::{batch, progress};
use crate::cold_store::{Access, ColdStore, Db};
use crate::failure::Failure;

#[async_trait]
impl ProgressRepository for ColdStore {
    #[tracing::instrument(name = "db.progress.record", level = "debug", skip_all)]
    async fn record(&self, progress: &ItemProgress, record: &ProductionRecord) -> Result<()> {
        let (progress, record) = (progress.clone(), record.clone());
        self.call(Access::Transaction, move |db| {
            // An earlier attempt may have been committed after all.
            if db.in_doubt && is_recorded(db, &record)? || progress::record(db, &progress, &record)?
            {
                return Ok(());
            }
            Err(RepositoryError::Stale.into())
        })
        .await
    }

    #[tracing::instrument(name = "db.progress.find", level = "debug", skip_all)]
    async fn progress(&self, store: StoreId, orders: &[OrderId]) -> Result<Vec<ItemProgress>> {
        let orders = orders.to_vec();
        self.call(Access::Read, move |db| {
            progress::progress(db, store, &orders)
        })
        .await
    }

    #[tracing::instrument(name = "db.progress.records", level = "debug", skip_all)]
    async fn records(
        &self,
        store: StoreId,
        order: OrderId,
        item: Option<ItemId>,
        count: u32,
    ) -> Result<Vec<ProductionRecord>> {
        self.call(Access::Read, move |db| {
            progress::records(db, store, order, item, count)
        })
        .await
    }
}

fn is_recorded(db: &mut Db<'_>, record: &ProductionRecord) -> Result<bool, Failure> {
    let place = record.place;
    let (store, order, item) = (place.store, place.order, Some(place.item));
    let records = progress::records(db, store, order, item, u32::MAX)?;
    Ok(records.contains(record))
}

#[async_trait]
impl BatchRepository for ColdStore {
    #[tracing::instrument(name = "db.batch.create", level = "debug", skip_all)]
    async fn create(&self, batch: &NewBatch) -> Result<CreatedBatch> {
        let batch = batch.clone();
        self.call(Access::AcrossStores, move |db| {
            let created = batch::create(db, &batch)?;
            // An earlier attempt may have been committed, so that the items are in this very batch.
            if let CreatedBatch::Taken(taken) = &created
                && db.in_doubt
                && let Some(first) = taken.first()
                && let Some(header) = own_batch(db, first.batch, &batch)?
            {
                return Ok(CreatedBatch::Stored(header));
            }
            Ok(created)
        })
        .await
    }

    #[tracing::instrument(name = "db.batch.find", level = "debug", skip_all)]
    async fn find(&self, number: BatchNumber) -> Result<Option<Batch>> {
        self.call(Access::Read, move |db| batch::find(db, number))
            .await
    }

    #[tracing::instrument(name = "db.batch.search", level = "debug", skip_all)]
    async fn search(&self, query: &BatchQuery) -> Result<Vec<BatchHeader>> {
        let query = query.clone();
        self.call(Access::Read, move |db| batch::search(db, &query))
            .await
    }

    #[tracing::instrument(name = "db.batch.start", level = "debug", skip_all)]
    async fn start(&self, number: BatchNumber, stamp: Stamp) -> Result<Option<BatchHeader>> {
        self.call(Access::Transaction, move |db| {
            batch::start(db, number, stamp)
        })
        .await
    }

    #[tracing::instrument(name = "db.batch.close", level = "debug", skip_all)]
    async fn close(&self, number: BatchNumber, stamp: Stamp) -> Result<Option<BatchHeader>> {
        self.call(Access::AcrossStores, move |db| {
            batch::close(db, number, stamp)
        })
        .await
    }

    #[tracing::instrument(name = "db.batch.open_items", level = "debug", skip_all)]
    async fn in_open_batches(
        &self,
        store: StoreId,
        orders: &[OrderId],
    ) -> Result<Vec<ItemInBatch>> {
        let orders = orders.to_vec();
        self.call(Access::Read, move |db| {
            batch::in_open_batches(db, store, &orders)
        })
        .await
    }
}

/// Returns the header of the stored batch `number` if it equals `batch`: an earlier attempt stored
/// it.
fn own_batch(
    db: &mut Db<'_>,
    number: BatchNumber,
    batch: &NewBatch,
) -> Result<Option<BatchHeader>, Failure> {
    let stored = batch::find(db, number)?;
    let is_own = |stored: &Batch| {
        let header = BatchHeader::of_new(stored.header.number, batch);
        stored.header == header && stored.items == batch.items
    };
    Ok(stored.filter(is_own).map(|stored| stored.header))
}
