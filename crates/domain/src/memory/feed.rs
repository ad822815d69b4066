//! The event feed in memory.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;

use super::order::Shelf;
use super::{MemoryOrders, at_most};
use crate::error::Result;
use crate::event::{
    EndpointDisabled, Event, EventChain, EventFeed, FeedBatch, FeedEvent, FeedQuery,
};
use crate::order::search::Batch;
use crate::order::{Order, OrderIdentity};
use crate::value::StoreId;
use pressline_kit::lock;

/// Assumed size of an event without its order, in bytes, for the size limit of a batch.
const EVENT_BYTES: u64 = 1024;

impl MemoryOrders {
    /// Adds the event that the service disabled an endpoint of `store`. Returns its sequence.
    pub fn add_endpoint_event(&self, store: StoreId, event: EndpointDisabled) -> u64 {
        let mut shelves = lock(&self.shelves);
        let shelf = shelves.entry(store).or_default();
        let sequence = shelf.next_sequence();
        shelf.add_event(FeedEvent::EndpointDisabled { sequence, event });
        sequence
    }
}

#[async_trait]
impl EventFeed for MemoryOrders {
    async fn read(&self, store: StoreId, query: &FeedQuery) -> Result<FeedBatch> {
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
    ) -> Result<Vec<Event>> {
        let shelves = lock(&self.shelves);
        let Some(shelf) = shelves.get(&store) else {
            return Ok(Vec::new());
        };
        let mut batch = Batch::new(bytes);
        let events = chains.iter().flat_map(|chain| {
            let events = shelf.chain(chain.order, chain.latest, count).into_iter();
            events.take_while(|event| event.sequence > chain.until)
        });
        Ok(events.take_while(|_| batch.takes(EVENT_BYTES)).collect())
    }

    async fn first_after(&self, store: StoreId, after: u64) -> Result<Option<u64>> {
        let shelves = lock(&self.shelves);
        let events = shelves
            .get(&store)
            .into_iter()
            .flat_map(|shelf| &shelf.events);
        let mut sequences = events.map(FeedEvent::sequence);
        Ok(sequences.find(|sequence| *sequence > after))
    }

    async fn last_sequences(&self, stores: &BTreeSet<StoreId>) -> Result<BTreeMap<StoreId, u64>> {
        let shelves = lock(&self.shelves);
        let last = stores.iter().filter_map(|store| {
            let last = shelves.get(store)?.last_sequence;
            (last > 0).then_some((*store, last))
        });
        Ok(last.collect())
    }
}

impl Shelf {
    fn feed(&self, query: &FeedQuery) -> FeedBatch {
        let mut batch = FeedBatch {
            last_sequence: self.last_sequence,
            ..FeedBatch::default()
        };
        let mut known = BTreeSet::new();
        let mut bytes = Batch::new(query.bytes);

        let is_examined = |event: &&FeedEvent| {
            event.sequence() > query.after && event.sequence() <= query.until()
        };
        let examined = self.events.iter().filter(is_examined);
        for event in examined.filter(|event| query.filter.matches(event)) {
            // An order counts once per batch, with its first event.
            let new = event.order().filter(|order| !known.contains(order));
            let order = new.and_then(|order| Some(&self.orders.get(&order)?.order));
            let whole = order.filter(|_| query.whole_orders);
            let size = EVENT_BYTES + whole.map_or(0, |order| order.content.loaded_bytes());
            batch.is_full = batch.events.len() == at_most(query.limit) || !bytes.takes(size);
            if batch.is_full {
                break;
            }
            batch.events.push(event.clone());
            known.extend(event.order());
            batch.add_order(order, query);
        }
        batch
    }
}

impl FeedBatch {
    fn add_order(&mut self, order: Option<&Order>, query: &FeedQuery) {
        if query.whole_orders {
            self.orders.extend(order.cloned());
        } else {
            self.identities.extend(order.map(OrderIdentity::new));
        }
    }
}
