//! Production progress and batches in memory.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use crate::memory::at_most;
use crate::production::{
    Batch, BatchHeader, BatchNumber, BatchQuery, BatchRepository, CreatedBatch, ItemProgress,
    ItemRef, NewBatch, ProductionRecord, ProgressRepository, Stamp,
};
use crate::restore::SkippedRange;
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::value::{ItemId, OrderId, StoreId};
use pressline_kit::lock;

#[derive(Debug, Default)]
struct Inner {
    progress: BTreeMap<ItemRef, ItemProgress>,
    records: Vec<ProductionRecord>,
    batches: BTreeMap<BatchNumber, Batch>,
    /// The last used or skipped batch number.
    last_number: u32,
}

/// Stores production progress and batches in memory. Clones share their data.
#[derive(Debug, Clone, Default)]
pub struct MemoryProduction {
    kept: Arc<Mutex<Inner>>,
}

impl MemoryProduction {
    pub(super) fn skip(&self, batches: u64) -> SkippedRange {
        let mut inner = lock(&self.kept);
        let after = inner.last_number;
        let batches = u32::try_from(batches).unwrap_or(u32::MAX);
        inner.last_number = after.saturating_add(batches);
        SkippedRange {
            after: after.into(),
            last: inner.last_number.into(),
        }
    }
}

impl Inner {
    fn taken(&self) -> BTreeMap<ItemRef, BatchNumber> {
        let open = self.batches.values().filter(|batch| batch.header.is_open());
        let items = open.flat_map(|batch| {
            let number = batch.header.number;
            batch.items.iter().map(move |place| (*place, number))
        });
        items.collect()
    }

    fn change(
        &mut self,
        number: BatchNumber,
        change: impl FnOnce(&mut BatchHeader),
    ) -> Option<BatchHeader> {
        let header = &mut self.batches.get_mut(&number)?.header;
        change(header);
        Some(header.clone())
    }
}

#[async_trait]
impl ProgressRepository for MemoryProduction {
    async fn record(&self, progress: &ItemProgress, record: &ProductionRecord) -> Result<()> {
        let mut inner = lock(&self.kept);
        let current = inner.progress.get(&progress.place);
        let stored = current.map_or(0, |stored| stored.revision);
        // Another record was stored first.
        if progress.revision != stored.saturating_add(1) {
            return Err(RepositoryError::Stale);
        }
        inner.progress.insert(progress.place, progress.clone());
        inner.records.push(record.clone());
        Ok(())
    }

    async fn progress(&self, store: StoreId, orders: &[OrderId]) -> Result<Vec<ItemProgress>> {
        let inner = lock(&self.kept);
        let item_progress = inner.progress.values().filter(|progress| {
            progress.place.store == store && orders.contains(&progress.place.order)
        });
        Ok(item_progress.cloned().collect())
    }

    async fn records(
        &self,
        store: StoreId,
        order: OrderId,
        item: Option<ItemId>,
        count: u32,
    ) -> Result<Vec<ProductionRecord>> {
        let inner = lock(&self.kept);
        let mut records: Vec<_> = inner
            .records
            .iter()
            .filter(|record| {
                let place = record.place;
                place.store == store
                    && place.order == order
                    && item.is_none_or(|item| place.item == item)
            })
            .cloned()
            .collect();
        records
            .sort_by_key(|record| Reverse((record.stamp.at, record.place.item, record.revision)));
        records.truncate(at_most(count));
        Ok(records)
    }
}

#[async_trait]
impl BatchRepository for MemoryProduction {
    async fn create(&self, batch: &NewBatch) -> Result<CreatedBatch> {
        let mut inner = lock(&self.kept);
        let mut taken = inner.taken();
        taken.retain(|place, _| batch.items.contains(place));
        if !taken.is_empty() {
            return Ok(CreatedBatch::Taken(taken));
        }
        let number = BatchNumber::new(inner.last_number.saturating_add(1))
            .ok_or(RepositoryError::TooLarge("the numbers of batches"))?;
        let header = BatchHeader::of_new(number, batch);
        let stored = Batch {
            header: header.clone(),
            items: batch.items.clone(),
        };
        inner.batches.insert(number, stored);
        inner.last_number = number.get();
        Ok(CreatedBatch::Stored(header))
    }

    async fn find(&self, number: BatchNumber) -> Result<Option<Batch>> {
        Ok(lock(&self.kept).batches.get(&number).cloned())
    }

    async fn search(&self, query: &BatchQuery) -> Result<Vec<BatchHeader>> {
        let is_within = |batch: &Batch| {
            let stores = query.within.as_ref();
            stores.is_none_or(|stores| batch.items.iter().all(|item| stores.contains(&item.store)))
        };
        let inner = lock(&self.kept);
        let batches = inner
            .batches
            .values()
            .rev()
            .filter(|batch| {
                let header = &batch.header;
                query.open.is_none_or(|open| header.is_open() == open)
                    && query.before.is_none_or(|before| header.number < before)
                    && is_within(batch)
            })
            .take(at_most(query.count));
        Ok(batches.map(|batch| batch.header.clone()).collect())
    }

    async fn start(&self, number: BatchNumber, stamp: Stamp) -> Result<Option<BatchHeader>> {
        Ok(lock(&self.kept).change(number, |header| {
            if header.is_open() {
                header.started.get_or_insert(stamp);
            }
        }))
    }

    async fn close(&self, number: BatchNumber, stamp: Stamp) -> Result<Option<BatchHeader>> {
        Ok(lock(&self.kept).change(number, |header| {
            header.closed.get_or_insert(stamp);
        }))
    }

    async fn in_open_batches(
        &self,
        store: StoreId,
        orders: &[OrderId],
    ) -> Result<BTreeMap<ItemRef, BatchNumber>> {
        let mut taken = lock(&self.kept).taken();
        taken.retain(|place, _| place.store == store && orders.contains(&place.order));
        Ok(taken)
    }
}
