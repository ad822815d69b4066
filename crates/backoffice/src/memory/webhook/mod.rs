//! Webhooks in memory: endpoints, subscriptions with their cursors, and the delivery log.

mod endpoint;
mod endpoints;
mod log;
mod subscription;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use endpoints::Endpoints;

use crate::memory::lock;
use crate::webhook::{
    Delivery, EndpointOwner, EndpointRecord, EndpointScope, OpenMessage, SubscriptionKey,
    SubscriptionStart,
};
use pressline_domain::event::FeedEvent;
use pressline_domain::memory::{MemoryOrders, MemoryStores};
use pressline_domain::value::id::{DeliveryId, StoreId};
use pressline_domain::value::time::Timestamp;

/// Stores webhooks in memory, for the stores and events of a [`MemoryStores`] and a
/// [`MemoryOrders`]. Clones share their data.
#[derive(Clone)]
pub struct MemoryWebhooks {
    stores: MemoryStores,
    orders: MemoryOrders,
    endpoints: Arc<Endpoints>,
    /// Subscriptions and deliveries. Each call locks them first, then the stores, the endpoints and
    /// the orders.
    kept: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    subscriptions: BTreeMap<SubscriptionKey, SubscriptionRow>,
    deliveries: BTreeMap<DeliveryId, Delivery>,
}

#[derive(Default)]
struct SubscriptionRow {
    cursor: u64,
    lease: u64,
    leased_until: Option<Timestamp>,
    /// Index in [`RESTART_PAUSES`](crate::webhook::RESTART_PAUSES) of the next restart's pause.
    restarts: usize,
    /// Unresolved events up to `cursor`, keyed by their sequence.
    open: BTreeMap<u64, OpenMessage>,
}

impl MemoryWebhooks {
    /// Creates a repository without endpoints, for the events of `orders`.
    pub fn new(stores: &MemoryStores, orders: &MemoryOrders) -> Self {
        let endpoints = Arc::new(Endpoints::default());
        // A rotation of the master key also encrypts the endpoints' secrets anew.
        stores.reseal_also(endpoints.clone());
        Self {
            stores: stores.clone(),
            orders: orders.clone(),
            endpoints,
            kept: Arc::default(),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Inner> {
        lock(&self.kept)
    }

    fn heard(&self, scope: &EndpointScope) -> Vec<StoreId> {
        match scope {
            EndpointScope::Store(store) => vec![*store],
            EndpointScope::Stores(stores) => stores.iter().copied().collect(),
            EndpointScope::AllStores => self.stores.ids(),
        }
    }

    fn subscriptions(&self, record: &EndpointRecord) -> Vec<SubscriptionKey> {
        let endpoint = record.endpoint.id;
        let stores = self.heard(&record.endpoint.scope).into_iter();
        stores
            .map(|store| SubscriptionKey { store, endpoint })
            .collect()
    }

    fn has_subscription(&self, subscription: SubscriptionKey) -> bool {
        let record = self.endpoints.find(subscription.endpoint);
        record.is_some_and(|record| record.endpoint.scope.hears(subscription.store))
    }

    fn owner(&self, delivery: &Delivery) -> Option<EndpointOwner> {
        let record = self.endpoints.find(delivery.endpoint)?;
        Some(record.endpoint.scope.owner())
    }

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

impl Inner {
    /// Returns 0 if the subscription is not stored yet, because its store was created after the
    /// endpoint.
    fn cursor(&self, subscription: SubscriptionKey) -> u64 {
        self.subscriptions
            .get(&subscription)
            .map_or(0, |row| row.cursor)
    }

    fn open(&self, subscription: SubscriptionKey) -> impl Iterator<Item = &OpenMessage> {
        let row = self.subscriptions.get(&subscription).into_iter();
        row.flat_map(|row| row.open.values())
    }

    /// Moves the cursor of `subscription` to `start`, removes its open messages and ends its lease.
    /// `last_sequence` is the sequence of the latest event of its store.
    fn start(
        &mut self,
        subscription: SubscriptionKey,
        start: SubscriptionStart,
        last_sequence: u64,
    ) {
        let row = self.subscriptions.entry(subscription).or_default();
        row.cursor = match start {
            SubscriptionStart::Now => last_sequence,
            SubscriptionStart::After(sequence) => sequence,
        };
        // The new number invalidates the lease of a worker that is sending.
        row.lease = row.lease.saturating_add(1);
        row.leased_until = None;
        row.open.clear();
        self.forget_next_attempts(subscription);
    }

    fn remove_subscription(&mut self, subscription: SubscriptionKey) {
        self.subscriptions.remove(&subscription);
        self.forget_next_attempts(subscription);
    }

    fn forget_next_attempts(&mut self, subscription: SubscriptionKey) {
        let of_subscription = |delivery: &&mut Delivery| delivery.subscription() == subscription;
        for delivery in self.deliveries.values_mut().filter(of_subscription) {
            delivery.next_attempt_at = None;
        }
    }
}
