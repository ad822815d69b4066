//! Webhooks in memory: endpoints, subscriptions with their cursors, and the delivery log.

mod endpoint;
mod log;
mod subscription;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::restore::SkippedRange;
use crate::webhook::{
    Delivery, EndpointOwner, EndpointRecord, EndpointScope, OpenMessage, SubscriptionKey,
};
use pressline_domain::error::Result;
use pressline_domain::event::FeedEvent;
use pressline_domain::memory::{MemoryOrders, MemoryStores, SealedKeys};
use pressline_domain::store::{KeyOwner, StoreKey};
use pressline_domain::value::{DeliveryId, EndpointId, KeyId, StoreId, Timestamp};
use pressline_kit::lock;

/// Stores webhooks in memory, for the stores and events of a [`MemoryStores`] and a
/// [`MemoryOrders`]. Clones share their data.
#[derive(Clone)]
pub struct MemoryWebhooks {
    stores: MemoryStores,
    orders: MemoryOrders,
    endpoints: Arc<Endpoints>,
    /// Each call locks it first, then the stores, the endpoints and the orders.
    kept: Arc<Mutex<Inner>>,
}

/// Table of webhook endpoints. Their secrets are encrypted with the master key of the stores.
#[derive(Debug, Default)]
struct Endpoints(Mutex<BTreeMap<EndpointId, EndpointRecord>>);

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

    pub(super) fn skip(&self, store: StoreId, sequences: SkippedRange) {
        let mut inner = self.kept();
        let rows = inner.subscriptions.iter_mut();
        for (_, row) in rows.filter(|(subscription, _)| subscription.store == store) {
            row.lease = row.lease.saturating_add(1);
            row.leased_until = None;
            row.restarts = 0;
            if row.cursor == sequences.after {
                row.cursor = sequences.last;
            }
        }
    }

    fn kept(&self) -> MutexGuard<'_, Inner> {
        lock(&self.kept)
    }

    fn stores_of(&self, scope: &EndpointScope) -> Vec<StoreId> {
        match scope {
            EndpointScope::Store(store) => vec![*store],
            EndpointScope::Stores(stores) => stores.iter().copied().collect(),
            EndpointScope::AllStores => self.stores.ids(),
        }
    }

    fn subscriptions(&self, record: &EndpointRecord) -> Vec<SubscriptionKey> {
        let endpoint = record.endpoint.id;
        let stores = self.stores_of(&record.endpoint.scope).into_iter();
        stores
            .map(|store| SubscriptionKey { store, endpoint })
            .collect()
    }

    fn has_subscription(&self, subscription: SubscriptionKey) -> bool {
        let record = self.endpoints.find(subscription.endpoint);
        record.is_some_and(|record| record.endpoint.scope.includes(subscription.store))
    }

    fn owner(&self, delivery: &Delivery) -> Option<EndpointOwner> {
        let record = self.endpoints.find(delivery.endpoint)?;
        Some(record.endpoint.scope.owner())
    }

    fn last_sequence(&self, store: StoreId) -> u64 {
        self.orders.last(store).sequence
    }

    fn events(&self, store: StoreId, matches: impl Fn(&FeedEvent) -> bool) -> Vec<FeedEvent> {
        let mut events = self.orders.all_events(store);
        events.retain(matches);
        events
    }
}

impl Endpoints {
    fn find(&self, id: EndpointId) -> Option<EndpointRecord> {
        lock(&self.0).get(&id).cloned()
    }

    fn all(&self) -> Vec<EndpointRecord> {
        lock(&self.0).values().cloned().collect()
    }

    /// Returns `false` and adds nothing if the owner already has `limit` endpoints.
    fn add(&self, stores: &MemoryStores, record: &EndpointRecord, limit: usize) -> Result<bool> {
        let owner = record.endpoint.scope.owner();
        let others = self.all();
        let own = others
            .iter()
            .filter(|other| other.endpoint.scope.owner() == owner);
        if own.count() >= limit {
            return Ok(false);
        }
        self.replace(stores, record)?;
        Ok(true)
    }

    /// Adds or replaces the endpoint of `record`, without checking the stored version.
    fn replace(&self, stores: &MemoryStores, record: &EndpointRecord) -> Result<()> {
        let id = record.endpoint.id;
        let had: BTreeSet<KeyId> = self
            .find(id)
            .map(|stored| stored.secrets)
            .iter()
            .flatten()
            .map(|secret| secret.key.id)
            .collect();
        let keys = record.secrets.iter().map(|secret| &secret.key);
        // Only new secrets must be encrypted with the current master key.
        let new = keys.filter(|key| !had.contains(&key.id));
        stores.keep_keys(new, || _ = lock(&self.0).insert(id, record.clone()))
    }
}

impl SealedKeys for Endpoints {
    fn reseal(&self, reseal: &mut dyn FnMut(KeyOwner, &mut StoreKey)) {
        for record in lock(&self.0).values_mut() {
            // Workers cache decrypted secrets by this version.
            record.version = record.version.saturating_add(1);
            let owner = KeyOwner::Endpoint(record.endpoint.id);
            let secrets = record.secrets.iter_mut();
            secrets.for_each(|secret| reseal(owner, &mut secret.key));
        }
    }
}

impl Inner {
    /// Returns 0 if the subscription is not stored yet: its store is newer than the endpoint.
    fn cursor(&self, subscription: SubscriptionKey) -> u64 {
        self.subscriptions
            .get(&subscription)
            .map_or(0, |row| row.cursor)
    }

    fn open(&self, subscription: SubscriptionKey) -> impl Iterator<Item = &OpenMessage> {
        let row = self.subscriptions.get(&subscription).into_iter();
        row.flat_map(|row| row.open.values())
    }

    fn forget_next_attempts(&mut self, subscription: SubscriptionKey) {
        let of_subscription = |delivery: &&mut Delivery| delivery.subscription() == subscription;
        for delivery in self.deliveries.values_mut().filter(of_subscription) {
            delivery.next_attempt_at = None;
        }
    }
}
