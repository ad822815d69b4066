//! Waiting for the next event of a store.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pressline_domain::event::{EventFeed, EventObserver};
use pressline_domain::value::StoreId;
use pressline_http::Code;
use pressline_http::request_error::RequestError;
use pressline_kit::lock;
use tokio::sync::watch;

/// Interval at which the feed is asked for events that other servers have stored.
const INTERVAL: Duration = Duration::from_secs(1);

/// Value of `Retry-After` if too many calls wait: any waiting call can end at any time.
const RETRY_AFTER: Option<NonZeroU32> = Some(NonZeroU32::MIN);

/// Wakes calls that wait for events: immediately if this process has stored an event, and within a
/// second if another process has. Clones share the waiting calls.
#[derive(Clone)]
pub struct EventWatch(Arc<Shared>);

struct Shared {
    feed: Arc<dyn EventFeed>,
    limit: usize,
    stores: Mutex<HashMap<StoreId, Watched>>,
}

struct Watched {
    /// Number of subscribed calls, including the `waiting` calls.
    calls: usize,
    waiting: usize,
    /// Sequence of the store's latest event that this process knows of; 0 before it knows of any.
    latest: watch::Sender<u64>,
}

impl EventWatch {
    /// Creates a watch on `feed`. Up to `limit` calls of each store can wait concurrently.
    pub fn new(feed: Arc<dyn EventFeed>, limit: usize) -> Self {
        Self(Arc::new(Shared {
            feed,
            limit,
            stores: Mutex::default(),
        }))
    }

    /// Asks the feed every second for events that other servers have stored. Never returns.
    pub async fn look(self) {
        loop {
            tokio::time::sleep(INTERVAL).await;
            let stores: BTreeSet<StoreId> = lock(&self.0.stores).keys().copied().collect();
            // A server without waiting calls must not query the database every second.
            if stores.is_empty() {
                continue;
            }
            match self.0.feed.last_sequences(&stores).await {
                Ok(sequences) => {
                    for (store, sequence) in sequences {
                        self.stored(store, sequence);
                    }
                }
                Err(error) => {
                    let error: &dyn std::error::Error = &error;
                    tracing::warn!(error, "looking for events failed; the next attempt follows");
                }
            }
        }
    }

    /// Must be called before the feed is read, so that no event in between is missed.
    pub(crate) fn subscribe(&self, store: StoreId) -> Waiters {
        let mut stores = lock(&self.0.stores);
        let watched = stores.entry(store).or_insert_with(|| Watched {
            calls: 0,
            waiting: 0,
            // 0 is safe for a new subscriber, because it reads the feed before it waits.
            latest: watch::Sender::new(0),
        });
        watched.calls += 1;
        Waiters {
            latest: watched.latest.subscribe(),
            shared: Arc::clone(&self.0),
            store,
        }
    }
}

impl EventObserver for EventWatch {
    fn stored(&self, store: StoreId, sequence: u64) {
        if let Some(watched) = lock(&self.0.stores).get(&store) {
            // Sequences can be reported out of order. Only a higher sequence wakes calls.
            watched.latest.send_if_modified(|latest| {
                let is_later = sequence > *latest;
                *latest = sequence.max(*latest);
                is_later
            });
        }
    }
}

impl Shared {
    fn count(&self, store: StoreId, change: impl FnOnce(&mut Watched)) {
        let mut stores = lock(&self.stores);
        if let Some(watched) = stores.get_mut(&store) {
            change(watched);
            if watched.calls == 0 {
                // Otherwise `look` would query every store that has ever waited.
                stores.remove(&store);
            }
        }
    }
}

/// Subscription of a call to the events of a store.
pub(crate) struct Waiters {
    latest: watch::Receiver<u64>,
    shared: Arc<Shared>,
    store: StoreId,
}

impl Waiters {
    pub(crate) fn store(&self) -> StoreId {
        self.store
    }

    /// Returns `rate_limited` if too many of the store's calls wait.
    pub(crate) fn begin_to_wait(&self) -> Result<Waiting<'_>, RequestError> {
        let mut stores = lock(&self.shared.stores);
        if let Some(watched) = stores.get_mut(&self.store) {
            if watched.waiting >= self.shared.limit {
                return Err(too_many());
            }
            watched.waiting += 1;
        }
        Ok(Waiting(self))
    }
}

impl Drop for Waiters {
    fn drop(&mut self) {
        let leave = |watched: &mut Watched| watched.calls = watched.calls.saturating_sub(1);
        self.shared.count(self.store, leave);
    }
}

/// Guard that counts a subscribed call as waiting. Dropping the guard lets another call wait.
pub(crate) struct Waiting<'s>(&'s Waiters);

impl Waiting<'_> {
    pub(crate) async fn for_event_after(&self, sequence: u64) {
        // `wait_for` needs a mutable receiver, but the subscription is borrowed immutably.
        let mut latest = self.0.latest.clone();
        // The sender lives as long as the subscription.
        let _ = latest.wait_for(|latest| *latest > sequence).await;
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let leave = |watched: &mut Watched| watched.waiting = watched.waiting.saturating_sub(1);
        self.0.shared.count(self.0.store, leave);
    }
}

fn too_many() -> RequestError {
    let message =
        "too many calls of this store wait for events; end one of them, or read without waiting";
    RequestError {
        retry_after: RETRY_AFTER,
        ..RequestError::new(Code::RateLimited, message)
    }
}
