//! The order repository in memory.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;

use super::{MemoryCatalog, MemoryStores, at_most};
use crate::error::{RepositoryError, Result};
use crate::event::{Event, FeedEvent, NewEvent};
use crate::fulfilment::Change;
use crate::order::search::{Batch, OrderReference, SearchFilter, SearchQuery, SearchResult, Start};
use crate::order::{
    DueOrder, FastForward, FastForwardResult, Lookup, NewOrder, Order, OrderMatch, OrderRepository,
    OrderWrite, ShipmentLookup, ShipmentMatch,
};
use crate::store::StoreSet;
use crate::value::{OrderId, ServiceOrderId, StoreId, Timestamp};
use pressline_kit::lock;
use pressline_kit::words::{WordSet, fit};

/// Stores orders in memory, for the stores of a [`MemoryStores`]. Clones share their content.
#[derive(Clone)]
pub struct MemoryOrders {
    stores: MemoryStores,
    catalog: MemoryCatalog,
    pub(super) shelves: Arc<Mutex<HashMap<StoreId, Shelf>>>,
}

#[derive(Default)]
pub(super) struct Shelf {
    last_number: i64,
    pub(super) orders: BTreeMap<OrderId, Inner>,
    by_order_id: HashMap<String, OrderId>,
    by_number: HashMap<i64, OrderId>,
    /// The last used or skipped sequence.
    pub(super) last_sequence: u64,
    /// All events of the store, ascending by sequence.
    pub(super) events: Vec<FeedEvent>,
}

pub(super) struct Inner {
    pub(super) order: Order,
    words: WordSet,
}

/// Last number and last sequence of a store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LastOfStore {
    /// Last used or skipped number of an order.
    pub number: u64,
    /// Last used or skipped sequence of an event.
    pub sequence: u64,
}

impl MemoryOrders {
    /// Creates an empty repository for orders of `stores`, priced with `catalog`.
    pub fn new(stores: &MemoryStores, catalog: &MemoryCatalog) -> Self {
        Self {
            stores: stores.clone(),
            catalog: catalog.clone(),
            shelves: Arc::default(),
        }
    }

    /// Returns all orders of `stores`, oldest first within a store.
    pub fn all(&self, stores: &StoreSet) -> Vec<Order> {
        let is_asked = |store| stores.as_ref().is_none_or(|stores| stores.contains(store));
        let shelves = lock(&self.shelves);
        let asked = shelves.iter().filter(|(store, _)| is_asked(store));
        let orders = asked.flat_map(|(_, shelf)| shelf.orders.values());
        orders.map(|stored| stored.order.clone()).collect()
    }

    /// Returns all events of `store`, ascending by sequence.
    pub fn all_events(&self, store: StoreId) -> Vec<FeedEvent> {
        let shelves = lock(&self.shelves);
        shelves
            .get(&store)
            .map_or_else(Vec::new, |shelf| shelf.events.clone())
    }

    /// Returns the last number and the last sequence of `store`.
    pub fn last(&self, store: StoreId) -> LastOfStore {
        let shelves = lock(&self.shelves);
        let last = |shelf: &Shelf| LastOfStore {
            number: u64::try_from(shelf.last_number).unwrap_or_default(),
            sequence: shelf.last_sequence,
        };
        shelves.get(&store).map(last).unwrap_or_default()
    }

    /// Skips counters of `store`, as after a restore: numbers and sequences by `by`, and the
    /// versions of all orders by `versions`.
    pub fn skip(&self, store: StoreId, by: LastOfStore, versions: u32) {
        let mut shelves = lock(&self.shelves);
        let shelf = shelves.entry(store).or_default();
        let numbers = i64::try_from(by.number).unwrap_or(i64::MAX);
        shelf.last_number = shelf.last_number.saturating_add(numbers);
        shelf.last_sequence = shelf.last_sequence.saturating_add(by.sequence);
        for stored in shelf.orders.values_mut() {
            stored.order = stored.order.skip_versions(versions);
        }
    }

    fn create(&self, new: NewOrder) -> Result<Order> {
        let store = new.parts().store_id;
        let no_store = || RepositoryError::Refused("there is no such store".into());
        let prefix = self.stores.prefix(store).ok_or_else(no_store)?;
        let mut shelves = lock(&self.shelves);
        let shelf = shelves.entry(store).or_default();
        let parts = new.parts();
        if shelf.by_order_id.contains_key(&parts.order_id) || shelf.orders.contains_key(&parts.id) {
            return Err(RepositoryError::Duplicate("the order"));
        }
        let number = shelf.last_number + 1;
        let event = new.placement().event.clone();
        let order = new.stored(ServiceOrderId { prefix, number }, shelf.next_sequence())?;
        shelf.put(order.clone(), event)?;
        // The number is used up only after everything that can fail.
        shelf.last_number = number;
        Ok(order)
    }

    fn change(&self, change: Change) -> Result<Order> {
        let expected = change.expected_version();
        let id = change.order.parts().id;
        let mut shelves = lock(&self.shelves);
        let shelf = shelves
            .get_mut(&change.order.parts().store_id)
            .ok_or(RepositoryError::Stale)?;
        let stored = shelf.orders.get(&id);
        if stored.is_none_or(|stored| stored.order.state.version != expected) {
            return Err(RepositoryError::Stale);
        }
        let order = change.order.with_sequence(shelf.next_sequence());
        shelf.put(order.clone(), change.event)?;
        Ok(order)
    }
}

impl Shelf {
    pub(super) fn next_sequence(&self) -> u64 {
        self.last_sequence + 1
    }

    pub(super) fn add_event(&mut self, event: FeedEvent) {
        self.last_sequence = event.sequence();
        self.events.push(event);
    }

    /// Replaces a stored order with the same id.
    fn put(&mut self, order: Order, event: NewEvent) -> Result<()> {
        let mut words = order.parts().words();
        if !fit(&words) {
            return Err(RepositoryError::TooLarge("the order's search words"));
        }
        words.text(&order.service_order_id.to_string());
        let id = order.parts().id;
        self.by_order_id.insert(order.parts().order_id.clone(), id);
        self.by_number.insert(order.service_order_id.number, id);
        let sequence = order.state.last_sequence;
        self.add_event(FeedEvent::Order(Event { sequence, event }));
        self.orders.insert(id, Inner { order, words });
        Ok(())
    }

    /// Returns up to `count` events, newest first, from the event with the sequence `latest`.
    pub(super) fn chain(&self, order: OrderId, latest: u64, count: u32) -> Vec<Event> {
        let at = |sequence: u64| {
            let place = (self.events).binary_search_by_key(&sequence, FeedEvent::sequence);
            self.events.get(place.ok()?)?.of_order()
        };
        let first = at(latest).filter(|event| event.event.order == order);
        let chain = std::iter::successors(first, |event| at(event.event.previous?.sequence));
        chain.take(at_most(count)).cloned().collect()
    }

    fn has_due(&self, now: Timestamp) -> bool {
        let mut orders = self.orders.values();
        orders.any(|stored| stored.order.state.due_at.is_some_and(|due| due <= now))
    }

    fn take_due(&mut self, now: Timestamp, until: Timestamp, count: usize) -> Vec<OrderId> {
        let is_due = |stored: &&mut Inner| stored.order.state.due_at.is_some_and(|due| due <= now);
        let due = self.orders.values_mut().filter(is_due).take(count);
        let taken = due.map(|stored| {
            stored.order = stored.order.with_due_at(until);
            stored.order.content.id
        });
        taken.collect()
    }

    fn fast_forward(&mut self, fast_forward: &FastForward) -> FastForwardResult {
        let range = self
            .orders
            .range_mut(fast_forward.from..fast_forward.before);
        let falling_due = range.filter(|(_, stored)| stored.order.state.due_at.is_some());
        let mut result = FastForwardResult::default();
        for (id, stored) in falling_due.take(at_most(fast_forward.count)) {
            result.last = Some(*id);
            stored.order = stored.order.fast_forward(fast_forward.millis);
            if stored
                .order
                .state
                .due_at
                .is_some_and(|due| due <= fast_forward.now)
            {
                stored.order = stored.order.with_due_at(fast_forward.until);
                result.due.push(*id);
            }
        }
        result
    }

    fn find(&self, lookup: &Lookup) -> Option<OrderMatch> {
        let by_number = lookup.number.and_then(|number| self.by_number.get(&number));
        let own = self.by_order_id.get(&lookup.order_id);
        let ids: BTreeSet<&OrderId> = [own, by_number, lookup.id.as_ref()]
            .into_iter()
            .flatten()
            .collect();
        let orders = ids.into_iter().filter_map(|id| self.orders.get(id));
        OrderMatch::new(lookup, orders.map(|stored| stored.order.clone()))
    }

    fn search(&self, query: &SearchQuery) -> SearchResult {
        let (before, skipped) = match query.start {
            Start::Offset(skipped) => (Bound::Unbounded, usize::try_from(skipped)),
            Start::After(id) => (Bound::Excluded(id), Ok(0)),
        };
        let mut matching = self
            .orders
            .range((Bound::Unbounded, before))
            .rev()
            .filter(|(_, stored)| stored.matches(&query.filter))
            .skip(skipped.unwrap_or(usize::MAX));
        let mut result = SearchResult::default();
        let mut batch = Batch::new(query.bytes);
        for (id, Inner { order, .. }) in matching.by_ref().take(at_most(query.size)) {
            let (id, bytes) = (*id, order.parts().loaded_bytes());
            if batch.takes(bytes) {
                result.orders.push(order.clone());
            } else {
                result.rest.push(OrderReference { id, bytes });
            }
        }
        // The page is complete, so a further match means another page.
        result.more = matching.next().is_some();
        result
    }
}

impl Inner {
    fn matches(&self, filter: &SearchFilter) -> bool {
        let (created_at, key) = (self.order.parts().created_at(), filter.key.as_ref());
        filter.from.is_none_or(|from| created_at >= from)
            && filter.to.is_none_or(|to| created_at <= to)
            && key.is_none_or(|key| key.matches(&self.words))
            && filter.has_status_and_type(&self.order)
    }
}

#[async_trait]
impl OrderRepository for MemoryOrders {
    async fn write(&self, write: OrderWrite) -> Result<Order> {
        let (OrderWrite::Create { priced_with, .. } | OrderWrite::Change { priced_with, .. }) =
            &write;
        if priced_with.is_some_and(|version| version != self.catalog.version()) {
            return Err(RepositoryError::CatalogChanged);
        }
        match write {
            OrderWrite::Create { order, .. } => self.create(*order),
            OrderWrite::Change { change, .. } => self.change(*change),
        }
    }

    async fn find(&self, store: StoreId, lookup: &Lookup) -> Result<Option<OrderMatch>> {
        let shelves = lock(&self.shelves);
        Ok(shelves.get(&store).and_then(|shelf| shelf.find(lookup)))
    }

    async fn service_order_id(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        id: OrderId,
    ) -> Result<Option<ServiceOrderId>> {
        let shelves = lock(&self.shelves);
        let is_wanted = |store| stores.is_none_or(|stores| stores.contains(store));
        let mut wanted = shelves.iter().filter(|(store, _)| is_wanted(store));
        let stored = wanted.find_map(|(_, shelf)| shelf.orders.get(&id));
        Ok(stored.map(|stored| stored.order.service_order_id.clone()))
    }

    async fn search(&self, store: StoreId, query: &SearchQuery) -> Result<SearchResult> {
        let shelves = lock(&self.shelves);
        let shelf = shelves.get(&store);
        Ok(shelf.map_or_else(SearchResult::default, |shelf| shelf.search(query)))
    }

    async fn load(&self, store: StoreId, ids: &[OrderId], bytes: u64) -> Result<Vec<Order>> {
        let shelves = lock(&self.shelves);
        let Some(shelf) = shelves.get(&store) else {
            return Ok(Vec::new());
        };
        let mut batch = Batch::new(bytes);
        let known = ids
            .iter()
            .filter_map(|id| Some(&shelf.orders.get(id)?.order));
        let fitting = known.take_while(|order| batch.takes(order.parts().loaded_bytes()));
        Ok(fitting.cloned().collect())
    }

    async fn events(
        &self,
        store: StoreId,
        order: OrderId,
        latest: u64,
        count: u32,
    ) -> Result<Vec<Event>> {
        let shelves = lock(&self.shelves);
        let shelf = shelves.get(&store);
        Ok(shelf.map_or_else(Vec::new, |shelf| shelf.chain(order, latest, count)))
    }

    async fn take_due(
        &self,
        now: Timestamp,
        until: Timestamp,
        count: u32,
    ) -> Result<Vec<DueOrder>> {
        let mut shelves = lock(&self.shelves);
        let stores = shelves.values().filter(|shelf| shelf.has_due(now)).count();
        // Equal shares of `count`, so that a store with many due orders delays no other store.
        let of_store = (at_most(count) / stores.max(1)).max(1);
        let mut taken = Vec::new();
        for (store, shelf) in shelves.iter_mut() {
            let orders = shelf.take_due(now, until, of_store);
            let store = *store;
            taken.extend(orders.into_iter().map(|order| DueOrder { store, order }));
        }
        Ok(taken)
    }

    async fn fast_forward(
        &self,
        store: StoreId,
        fast_forward: &FastForward,
    ) -> Result<FastForwardResult> {
        let mut shelves = lock(&self.shelves);
        let shelf = shelves.get_mut(&store);
        Ok(shelf.map_or_else(FastForwardResult::default, |shelf| {
            shelf.fast_forward(fast_forward)
        }))
    }

    async fn find_shipments(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        lookup: &ShipmentLookup,
        count: u32,
    ) -> Result<Vec<ShipmentMatch>> {
        let shelves = lock(&self.shelves);
        let is_wanted = |store| stores.is_none_or(|stores| stores.contains(store));
        let wanted = shelves.iter().filter(|(store, _)| is_wanted(store));
        let orders = wanted.flat_map(|(_, shelf)| shelf.orders.values());
        let mut matches: Vec<_> = orders
            .flat_map(|stored| ShipmentMatch::of_order(&stored.order, lookup))
            .collect();
        matches.sort_by_key(|shipment_match| Reverse(shipment_match.order));
        matches.truncate(at_most(count));
        Ok(matches)
    }

    async fn ping(&self) -> Result<()> {
        Ok(())
    }
}
