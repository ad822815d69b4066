//! Wakes the worker when this process has stored events or changed an endpoint.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use pressline_backoffice::webhook::{EndpointObserver, SubscriptionKey};
use pressline_domain::event::EventObserver;
use pressline_domain::value::{EndpointId, StoreId};
use pressline_kit::lock;
use tokio::sync::Notify;

/// Maximum number of subscriptions kept in memory for new events to wake. When it is reached, all
/// are dropped, until the worker's queries find them again.
const KNOWN: usize = 20_000;

/// Wakes the [`Worker`](crate::Worker) when this process has stored events or changed an endpoint.
/// Clones wake the same worker.
///
/// Only subscriptions that have run before are woken by events, so that an event of a store without
/// endpoints costs only a look-up. The worker finds other subscriptions by a query once a second. A
/// changed endpoint makes the worker query immediately.
#[derive(Clone, Default)]
pub struct Wake(Arc<Shared>);

#[derive(Default)]
struct Shared {
    subscriptions: Mutex<Subscriptions>,
    pending: Notify,
    changes: Notify,
}

#[derive(Default)]
struct Subscriptions {
    known: HashMap<StoreId, HashSet<EndpointId>>,
    count: usize,
    running: HashMap<SubscriptionKey, Arc<WakeHandle>>,
    waiting: BTreeSet<SubscriptionKey>,
}

#[derive(Default)]
pub(crate) struct WakeHandle {
    rang: AtomicBool,
    changed: AtomicBool,
    notify: Notify,
}

impl WakeHandle {
    /// Waits until the subscription's store has a new event, or until its endpoint is changed.
    /// Returns immediately if this has happened since the last call.
    pub(crate) async fn rings(&self) {
        self.notify.notified().await;
        self.rang.store(false, Ordering::Relaxed);
    }

    /// Returns whether the endpoint has been changed since the last call of this function.
    pub(crate) fn takes_change(&self) -> bool {
        self.changed.swap(false, Ordering::Relaxed)
    }

    fn ring(&self) {
        self.rang.store(true, Ordering::Relaxed);
        // `Notify` stores the wake-up if no run waits yet.
        self.notify.notify_one();
    }
}

impl EventObserver for Wake {
    fn stored(&self, store: StoreId, _sequence: u64) {
        self.wake(store);
    }
}

impl EndpointObserver for Wake {
    fn changed(&self, endpoint: EndpointId) {
        let subscriptions = lock(&self.0.subscriptions);
        let running = subscriptions.running.iter();
        let of_endpoint = running.filter(|(key, _)| key.endpoint == endpoint);
        // The database query does not return running subscriptions.
        for (_, wake_handle) in of_endpoint {
            wake_handle.changed.store(true, Ordering::Relaxed);
            wake_handle.ring();
        }
        self.0.changes.notify_one();
    }
}

impl Wake {
    pub(crate) fn wake(&self, store: StoreId) {
        let mut guard = lock(&self.0.subscriptions);
        let subscriptions = &mut *guard;
        let Some(endpoints) = subscriptions.known.get(&store) else {
            return;
        };
        for endpoint in endpoints.iter().copied() {
            let key = SubscriptionKey { store, endpoint };
            if let Some(wake_handle) = subscriptions.running.get(&key) {
                wake_handle.ring();
            } else {
                subscriptions.waiting.insert(key);
            }
        }
        if !subscriptions.waiting.is_empty() {
            self.0.pending.notify_one();
        }
    }

    pub(crate) async fn pending(&self) -> BTreeSet<SubscriptionKey> {
        self.0.pending.notified().await;
        std::mem::take(&mut lock(&self.0.subscriptions).waiting)
    }

    pub(crate) async fn changes(&self) {
        self.0.changes.notified().await;
    }

    pub(crate) fn begin(&self, key: SubscriptionKey) -> Arc<WakeHandle> {
        let mut subscriptions = lock(&self.0.subscriptions);
        if subscriptions.count >= KNOWN {
            subscriptions.known.clear();
            subscriptions.count = 0;
        }
        let endpoints = subscriptions.known.entry(key.store).or_default();
        let is_new = endpoints.insert(key.endpoint);
        subscriptions.count += usize::from(is_new);
        // The run that begins finds the events itself.
        subscriptions.waiting.remove(&key);
        subscriptions.running.entry(key).or_default().clone()
    }

    /// Returns whether a new event or a change of the endpoint came after the run last waited.
    pub(crate) fn end(&self, key: SubscriptionKey) -> bool {
        let wake_handle = lock(&self.0.subscriptions).running.remove(&key);
        wake_handle.is_some_and(|wake_handle| wake_handle.rang.load(Ordering::Relaxed))
    }

    /// Stops waking a subscription until it runs again, such as while its endpoint is paused.
    pub(crate) fn forget(&self, key: SubscriptionKey) {
        let mut subscriptions = lock(&self.0.subscriptions);
        if let Some(endpoints) = subscriptions.known.get_mut(&key.store)
            && endpoints.remove(&key.endpoint)
        {
            if endpoints.is_empty() {
                subscriptions.known.remove(&key.store);
            }
            subscriptions.count = subscriptions.count.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use pressline_domain::value::EndpointId;
    use uuid::Uuid;

    use super::*;

    fn key(store: u128, endpoint: u128) -> SubscriptionKey {
        SubscriptionKey {
            store: StoreId::new(Uuid::from_u128(store)),
            endpoint: EndpointId::new(Uuid::from_u128(endpoint)),
        }
    }

    #[tokio::test]
    async fn subscriptions_that_had_pending_events_are_woken_by_the_next_event_of_their_store() {
        let wake = Wake::default();
        for subscription in [key(1, 1), key(1, 2), key(2, 1), key(1, 3)] {
            wake.begin(subscription);
            assert!(!wake.end(subscription));
        }
        wake.forget(key(1, 3));
        wake.stored(key(1, 1).store, 5);
        wake.stored(key(9, 1).store, 1);
        assert_eq!(wake.pending().await, BTreeSet::from([key(1, 1), key(1, 2)]));
    }

    #[tokio::test]
    async fn a_change_of_an_endpoint_is_noticed_by_its_subscriptions_and_by_those_that_look() {
        let wake = Wake::default();
        let (own, other) = (wake.begin(key(1, 1)), wake.begin(key(1, 2)));
        wake.changed(key(1, 1).endpoint);
        wake.changes().await;
        own.rings().await;
        assert!(own.takes_change() && !own.takes_change());
        assert!(!other.takes_change() && !other.rang.load(Ordering::Relaxed));
        assert!(!wake.end(key(1, 2)));
    }

    #[tokio::test]
    async fn a_subscription_that_begins_is_not_waiting_any_more() {
        let wake = Wake::default();
        wake.begin(key(1, 1));
        wake.end(key(1, 1));
        wake.stored(key(1, 1).store, 5);
        wake.begin(key(1, 1));
        assert!(wake.pending().await.is_empty());
    }

    #[tokio::test]
    async fn pending_subscriptions_are_returned_once() {
        let wake = Wake::default();
        for subscription in [key(1, 1), key(2, 1)] {
            wake.begin(subscription);
            wake.end(subscription);
        }
        for sequence in 1..4 {
            wake.stored(key(1, 1).store, sequence);
        }
        assert_eq!(wake.pending().await, BTreeSet::from([key(1, 1)]));
        wake.stored(key(2, 1).store, 1);
        assert_eq!(wake.pending().await, BTreeSet::from([key(2, 1)]));
    }

    #[tokio::test(start_paused = true)]
    async fn an_event_of_an_unknown_store_wakes_nothing() {
        let wake = Wake::default();
        wake.stored(key(1, 1).store, 5);
        let pending = tokio::time::timeout(std::time::Duration::from_secs(9), wake.pending());
        assert!(pending.await.is_err());
    }

    #[test]
    fn a_bounded_number_of_subscriptions_is_known() {
        let wake = Wake::default();
        for number in 0..=u128::try_from(KNOWN).unwrap() {
            let subscription = key(number / 2, number % 2);
            wake.begin(subscription);
            wake.end(subscription);
        }
        let subscriptions = lock(&wake.0.subscriptions);
        assert_eq!((subscriptions.count, subscriptions.known.len()), (1, 1));
    }

    #[test]
    fn a_forgotten_subscription_leaves_nothing() {
        let wake = Wake::default();
        wake.begin(key(1, 1));
        wake.end(key(1, 1));
        for _ in 0..2 {
            wake.forget(key(1, 1));
            let subscriptions = lock(&wake.0.subscriptions);
            assert_eq!((subscriptions.count, subscriptions.known.len()), (0, 0));
        }
    }

    #[tokio::test]
    async fn a_running_subscription_finds_events_itself() {
        let wake = Wake::default();
        let wake_handle = wake.begin(key(1, 1));
        wake.stored(key(1, 1).store, 5);
        wake_handle.rings().await;
        assert!(lock(&wake.0.subscriptions).waiting.is_empty());
        wake.stored(key(1, 1).store, 6);
        assert!(
            wake.end(key(1, 1)),
            "an event came after it had last listened"
        );
    }
}
