//! The events of orders in memory.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;

use super::order::Shelf;
use super::{MemoryOrders, lock};
use crate::error::RepositoryError;
use crate::event::{Event, EventChain, EventFeed, FeedBatch, FeedQuery};
use crate::id::StoreId;
use crate::order::search::Batch;

/// What an event counts for in a batch, in bytes, besides its order.
const EVENT_BYTES: u64 = 1024;

#[async_trait]
impl EventFeed for MemoryOrders {
    async fn read(&self, store: StoreId, query: &FeedQuery) -> Result<FeedBatch, RepositoryError> {
        let shelves = lock(&self.shelves);
        let shelf = shelves.get(&store);
        Ok(shelf.map_or_else(FeedBatch::default, |shelf| shelf.feed(query)))
    }

    async fn chains(
        &self,
        store: StoreId,
        chains: &[EventChain],
        count: u32,
        bytes: u64,
    ) -> Result<Vec<Event>, RepositoryError> {
        let shelves = lock(&self.shelves);
        let Some(shelf) = shelves.get(&store) else {
            return Ok(Vec::new());
        };
        let mut batch = Batch::of(bytes);
        let events = chains.iter().flat_map(|chain| {
            let events = shelf.chain(chain.order, chain.latest, count).into_iter();
            events.take_while(|event| event.sequence > chain.until)
        });
        Ok(events.take_while(|_| batch.takes(EVENT_BYTES)).collect())
    }

    async fn last_sequences(
        &self,
        stores: &BTreeSet<StoreId>,
    ) -> Result<BTreeMap<StoreId, u64>, RepositoryError> {
        let shelves = lock(&self.shelves);
        let last = stores.iter().filter_map(|store| {
            let last = shelves.get(store)?.events.last()?;
            Some((*store, last.sequence))
        });
        Ok(last.collect())
    }
}

impl Shelf {
    fn feed(&self, query: &FeedQuery) -> FeedBatch {
        let mut batch = FeedBatch {
            last_sequence: self.events.last().map_or(0, |event| event.sequence),
            ..FeedBatch::default()
        };
        let mut orders = BTreeSet::new();
        let mut bytes = Batch::of(query.bytes);
        let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
        let is_examined =
            |event: &&Event| event.sequence > query.after && event.sequence <= query.until();
        let examined = self.events.iter().filter(is_examined);
        for event in examined.filter(|event| query.filter.matches(event)) {
            let Some(kept) = self.orders.get(&event.event.order) else {
                continue;
            };
            let is_new = !orders.contains(&event.event.order);
            let order = &kept.order;
            let order_bytes = if is_new {
                order.content.loaded_bytes()
            } else {
                0
            };
            batch.is_full = batch.events.len() == limit || !bytes.takes(EVENT_BYTES + order_bytes);
            if batch.is_full {
                break;
            }
            batch.events.push(event.clone());
            if is_new {
                orders.insert(event.event.order);
                batch.orders.push(order.clone());
            }
        }
        batch
    }
}
