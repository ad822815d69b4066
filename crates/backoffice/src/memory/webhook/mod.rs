//! Webhooks in memory: endpoints, how far each is, and the log of deliveries.

mod endpoint;
mod endpoints;
mod lane;
mod log;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use endpoints::Endpoints;

use crate::memory::lock;
use crate::webhook::{
    Delivery, EndpointOwner, EndpointRecord, EndpointScope, LaneKey, LaneStart, OpenMessage,
};
use pressline_domain::event::FeedEvent;
use pressline_domain::id::{DeliveryId, StoreId};
use pressline_domain::memory::{MemoryOrders, MemoryStores};
use pressline_domain::time::Timestamp;

/// Keeps webhooks of a [`MemoryStores`] and a [`MemoryOrders`] in memory. Clones share what they
/// keep.
#[derive(Clone)]
pub struct MemoryWebhooks {
    stores: MemoryStores,
    orders: MemoryOrders,
    endpoints: Arc<Endpoints>,
    /// Locked first by each call, before the stores, the endpoints and the orders.
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    lanes: BTreeMap<LaneKey, LaneRow>,
    deliveries: BTreeMap<DeliveryId, Delivery>,
}

#[derive(Default)]
struct LaneRow {
    cursor: u64,
    lease: u64,
    leased_until: Option<Timestamp>,
    /// Position in [`RESTART_PAUSES`](crate::webhook::RESTART_PAUSES) of the next pause.
    restarts: usize,
    /// Open messages by the sequence of their event.
    open: BTreeMap<u64, OpenMessage>,
}

impl MemoryWebhooks {
    /// Returns an empty set of endpoints, for the events of these orders.
    pub fn new(stores: &MemoryStores, orders: &MemoryOrders) -> Self {
        let endpoints = Arc::new(Endpoints::default());
        stores.reseal_also(endpoints.clone());
        Self {
            stores: stores.clone(),
            orders: orders.clone(),
            endpoints,
            kept: Arc::default(),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        lock(&self.kept)
    }

    fn heard(&self, scope: &EndpointScope) -> Vec<StoreId> {
        match scope {
            EndpointScope::Store(store) => vec![*store],
            EndpointScope::Stores(stores) => stores.iter().copied().collect(),
            EndpointScope::AllStores => self.stores.ids(),
        }
    }

    fn lanes(&self, record: &EndpointRecord) -> Vec<LaneKey> {
        let endpoint = record.endpoint.id;
        let stores = self.heard(&record.endpoint.scope).into_iter();
        stores.map(|store| LaneKey { store, endpoint }).collect()
    }

    fn has_lane(&self, lane: LaneKey) -> bool {
        let record = self.endpoints.find(lane.endpoint);
        record.is_some_and(|record| record.endpoint.scope.hears(lane.store))
    }

    /// Returns whose endpoint a delivery was for; `None` if that is removed.
    fn owner(&self, delivery: &Delivery) -> Option<EndpointOwner> {
        let record = self.endpoints.find(delivery.endpoint)?;
        Some(record.endpoint.scope.owner())
    }

    /// Returns the sequence of a store's last event; 0 if it has none.
    fn last_sequence(&self, store: StoreId) -> u64 {
        let events = self.orders.all_events(store);
        events.last().map_or(0, FeedEvent::sequence)
    }

    fn events(&self, store: StoreId, matches: impl Fn(&FeedEvent) -> bool) -> Vec<FeedEvent> {
        let mut events = self.orders.all_events(store);
        events.retain(matches);
        events
    }
}

impl Kept {
    /// 0 before the lane has a row: the lane of a store that was created after its endpoint.
    fn cursor(&self, lane: LaneKey) -> u64 {
        self.lanes.get(&lane).map_or(0, |row| row.cursor)
    }

    fn open(&self, lane: LaneKey) -> impl Iterator<Item = &OpenMessage> {
        let row = self.lanes.get(&lane).into_iter();
        row.flat_map(|row| row.open.values())
    }

    /// Begins a lane elsewhere: without open messages, and with a lease that no worker holds.
    fn start(&mut self, lane: LaneKey, start: LaneStart, last_sequence: u64) {
        let row = self.lanes.entry(lane).or_default();
        row.cursor = match start {
            LaneStart::Now => last_sequence,
            LaneStart::After(sequence) => sequence,
        };
        row.lease = row.lease.saturating_add(1);
        row.leased_until = None;
        row.open.clear();
        self.forget_next_attempts(lane);
    }

    fn remove_lane(&mut self, lane: LaneKey) {
        self.lanes.remove(&lane);
        self.forget_next_attempts(lane);
    }

    fn forget_next_attempts(&mut self, lane: LaneKey) {
        let of_lane = |delivery: &&mut Delivery| delivery.lane() == lane;
        for delivery in self.deliveries.values_mut().filter(of_lane) {
            delivery.next_attempt_at = None;
        }
    }
}
