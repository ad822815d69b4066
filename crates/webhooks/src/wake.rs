//! What wakes the worker when this process has stored events, or has changed an endpoint.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pressline_backoffice::webhook::{EndpointObserver, LaneKey};
use pressline_domain::event::EventObserver;
use pressline_domain::id::{EndpointId, StoreId};
use tokio::sync::Notify;

/// Maximum number of lanes that are woken. Those beyond are found by the next look at the database.
const KNOWN: usize = 20_000;

/// Wakes the worker when this process has stored events or has changed an endpoint. Clones wake the same worker.
///
/// It knows the lanes that had news since the process began, so that a store without endpoints costs one look-up for
/// each of its events. Lanes that it does not know are found by the worker's look at the database. A change of an endpoint
/// makes it look at once.
#[derive(Clone, Default)]
pub struct Wake(Arc<Shared>);

#[derive(Default)]
struct Shared {
    lanes: Mutex<Lanes>,
    news: Notify,
    changes: Notify,
}

#[derive(Default)]
struct Lanes {
    known: HashMap<StoreId, HashSet<EndpointId>>,
    count: usize,
    running: HashMap<LaneKey, Arc<Bell>>,
    waiting: BTreeSet<LaneKey>,
}

#[derive(Default)]
pub(crate) struct Bell {
    rang: AtomicBool,
    changed: AtomicBool,
    notify: Notify,
}

impl Bell {
    /// Waits until the store has another event or the endpoint has changed, also since the last call.
    pub(crate) async fn rings(&self) {
        self.notify.notified().await;
        self.rang.store(false, Ordering::Relaxed);
    }

    /// Returns whether the endpoint has changed since the last call.
    pub(crate) fn takes_change(&self) -> bool {
        self.changed.swap(false, Ordering::Relaxed)
    }

    fn ring(&self) {
        self.rang.store(true, Ordering::Relaxed);
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
        let lanes = self.lanes();
        let running = lanes.running.iter();
        let of_endpoint = running.filter(|(key, _)| key.endpoint == endpoint);
        // A look does not find lanes that run.
        for (_, bell) in of_endpoint {
            bell.changed.store(true, Ordering::Relaxed);
            bell.ring();
        }
        self.0.changes.notify_one();
    }
}

impl Wake {
    fn lanes(&self) -> MutexGuard<'_, Lanes> {
        self.0.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn wake(&self, store: StoreId) {
        let mut lanes = self.lanes();
        let lanes = &mut *lanes;
        let Some(endpoints) = lanes.known.get(&store) else {
            return;
        };
        for endpoint in endpoints.iter().copied() {
            let key = LaneKey { store, endpoint };
            if let Some(bell) = lanes.running.get(&key) {
                bell.ring();
            } else {
                lanes.waiting.insert(key);
            }
        }
        if !lanes.waiting.is_empty() {
            self.0.news.notify_one();
        }
    }

    pub(crate) async fn news(&self) -> BTreeSet<LaneKey> {
        self.0.news.notified().await;
        std::mem::take(&mut self.lanes().waiting)
    }

    pub(crate) async fn changes(&self) {
        self.0.changes.notified().await;
    }

    pub(crate) fn begin(&self, key: LaneKey) -> Arc<Bell> {
        let mut lanes = self.lanes();
        if lanes.count >= KNOWN {
            lanes.known.clear();
            lanes.count = 0;
        }
        let endpoints = lanes.known.entry(key.store).or_default();
        let is_new = endpoints.insert(key.endpoint);
        lanes.count += usize::from(is_new);
        lanes.waiting.remove(&key);
        lanes.running.entry(key).or_default().clone()
    }

    /// A lane has ended. Returns whether the bell rang after it had last listened.
    pub(crate) fn end(&self, key: LaneKey) -> bool {
        let bell = self.lanes().running.remove(&key);
        bell.is_some_and(|bell| bell.rang.load(Ordering::Relaxed))
    }

    /// A lane is not woken any more, until it begins again: its endpoint is disabled or pauses.
    pub(crate) fn forget(&self, key: LaneKey) {
        let mut lanes = self.lanes();
        if let Some(endpoints) = lanes.known.get_mut(&key.store)
            && endpoints.remove(&key.endpoint)
        {
            if endpoints.is_empty() {
                lanes.known.remove(&key.store);
            }
            lanes.count = lanes.count.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use pressline_domain::id::EndpointId;
    use uuid::Uuid;

    use super::*;

    fn key(store: u128, endpoint: u128) -> LaneKey {
        LaneKey {
            store: StoreId::new(Uuid::from_u128(store)),
            endpoint: EndpointId::new(Uuid::from_u128(endpoint)),
        }
    }

    #[tokio::test]
    async fn lanes_that_had_news_are_woken_by_the_next_event_of_their_store() {
        let wake = Wake::default();
        for lane in [key(1, 1), key(1, 2), key(2, 1), key(1, 3)] {
            wake.begin(lane);
            assert!(!wake.end(lane));
        }
        wake.forget(key(1, 3));
        wake.stored(key(1, 1).store, 5);
        wake.stored(key(9, 1).store, 1);
        assert_eq!(wake.news().await, BTreeSet::from([key(1, 1), key(1, 2)]));
    }

    #[tokio::test]
    async fn a_change_of_an_endpoint_is_noticed_by_its_lanes_and_by_those_that_look() {
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
    async fn a_lane_that_begins_is_not_waiting_any_more() {
        let wake = Wake::default();
        wake.begin(key(1, 1));
        wake.end(key(1, 1));
        wake.stored(key(1, 1).store, 5);
        wake.begin(key(1, 1));
        assert!(wake.news().await.is_empty());
    }

    #[tokio::test]
    async fn news_are_told_once() {
        let wake = Wake::default();
        for lane in [key(1, 1), key(2, 1)] {
            wake.begin(lane);
            wake.end(lane);
        }
        for sequence in 1..4 {
            wake.stored(key(1, 1).store, sequence);
        }
        assert_eq!(wake.news().await, BTreeSet::from([key(1, 1)]));
        wake.stored(key(2, 1).store, 1);
        assert_eq!(wake.news().await, BTreeSet::from([key(2, 1)]));
    }

    #[tokio::test(start_paused = true)]
    async fn an_event_of_an_unknown_store_wakes_nothing() {
        let wake = Wake::default();
        wake.stored(key(1, 1).store, 5);
        let news = tokio::time::timeout(std::time::Duration::from_secs(9), wake.news());
        assert!(news.await.is_err());
    }

    #[test]
    fn a_bounded_number_of_lanes_is_known() {
        let wake = Wake::default();
        for number in 0..=u128::try_from(KNOWN).unwrap() {
            let lane = key(number / 2, number % 2);
            wake.begin(lane);
            wake.end(lane);
        }
        let lanes = wake.lanes();
        assert_eq!((lanes.count, lanes.known.len()), (1, 1));
    }

    #[test]
    fn a_forgotten_lane_leaves_nothing() {
        let wake = Wake::default();
        wake.begin(key(1, 1));
        wake.end(key(1, 1));
        for _ in 0..2 {
            wake.forget(key(1, 1));
            let lanes = wake.lanes();
            assert_eq!((lanes.count, lanes.known.len()), (0, 0));
        }
    }

    #[tokio::test]
    async fn a_lane_that_runs_hears_of_events_itself() {
        let wake = Wake::default();
        let bell = wake.begin(key(1, 1));
        wake.stored(key(1, 1).store, 5);
        bell.rings().await;
        assert!(wake.lanes().waiting.is_empty());
        wake.stored(key(1, 1).store, 6);
        assert!(
            wake.end(key(1, 1)),
            "an event came after it had last listened"
        );
    }
}
