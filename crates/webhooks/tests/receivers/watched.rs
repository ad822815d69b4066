//! A `SubscriptionRepository` whose calls are counted, delayed and rejected.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use pressline_backoffice::memory::MemoryWebhooks;
use pressline_backoffice::webhook::{
    OpenMessage, RecordResult, Subscription, SubscriptionKey, SubscriptionOutcome,
    SubscriptionRepository,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::{OrderId, Timestamp};
use tokio::time::{Instant, sleep};

type Result<T> = std::result::Result<T, RepositoryError>;

pub(crate) struct Watched {
    kept: MemoryWebhooks,
    /// Duration of a poll.
    pub(crate) look_takes: Duration,
    /// Duration of any other call.
    pub(crate) call_takes: Duration,
    /// Subscriptions that each poll returns in addition.
    pub(crate) also_found: Vec<SubscriptionKey>,
    pub(crate) is_away: AtomicBool,
    looks: Mutex<Vec<Instant>>,
    running: AtomicUsize,
    most: AtomicUsize,
}

impl Watched {
    pub(crate) fn new(kept: &MemoryWebhooks) -> Self {
        Self {
            kept: kept.clone(),
            look_takes: Duration::ZERO,
            call_takes: Duration::ZERO,
            also_found: Vec::new(),
            is_away: AtomicBool::new(false),
            looks: Mutex::default(),
            running: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        }
    }

    pub(crate) fn away(kept: &MemoryWebhooks) -> Arc<Self> {
        let watched = Self::new(kept);
        watched.is_away.store(true, Ordering::SeqCst);
        Arc::new(watched)
    }

    pub(crate) fn looks(&self) -> usize {
        self.looks.lock().unwrap().len()
    }

    /// Returns the times between consecutive polls, in milliseconds.
    pub(crate) fn gaps(&self) -> Vec<u128> {
        let looks = self.looks.lock().unwrap();
        let pairs = looks.windows(2);
        pairs.map(|pair| (pair[1] - pair[0]).as_millis()).collect()
    }

    /// Returns the maximum number of concurrent calls other than polls.
    pub(crate) fn most_calls(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }

    async fn call<T>(&self, call: impl Future<Output = Result<T>>) -> Result<T> {
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(running, Ordering::SeqCst);
        sleep(self.call_takes).await;
        self.running.fetch_sub(1, Ordering::SeqCst);
        call.await
    }
}

#[async_trait]
impl SubscriptionRepository for Watched {
    async fn with_pending_events(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<SubscriptionKey>> {
        self.looks.lock().unwrap().push(Instant::now());
        sleep(self.look_takes).await;
        if self.is_away.load(Ordering::SeqCst) {
            return Err(RepositoryError::Unavailable("it is away".into()));
        }
        let mut found = self.kept.with_pending_events(now, limit).await?;
        found.extend(&self.also_found);
        Ok(found)
    }

    async fn lease(
        &self,
        subscription: SubscriptionKey,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Subscription>> {
        self.call(self.kept.lease(subscription, now, until)).await
    }

    async fn due(
        &self,
        subscription: SubscriptionKey,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<OpenMessage>> {
        self.call(self.kept.due(subscription, now, limit)).await
    }

    async fn oldest(&self, subscription: SubscriptionKey) -> Result<Option<OpenMessage>> {
        self.call(self.kept.oldest(subscription)).await
    }

    async fn blocked(
        &self,
        subscription: SubscriptionKey,
        orders: &BTreeSet<OrderId>,
    ) -> Result<BTreeSet<OrderId>> {
        self.call(self.kept.blocked(subscription, orders)).await
    }

    async fn record(&self, outcome: &SubscriptionOutcome) -> Result<RecordResult> {
        self.call(self.kept.record(outcome)).await
    }

    async fn end_leases(&self, now: Timestamp) -> Result<()> {
        self.kept.end_leases(now).await
    }
}
