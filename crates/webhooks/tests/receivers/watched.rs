//! Lanes whose calls are counted, delayed and refused.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use pressline_backoffice::memory::MemoryWebhooks;
use pressline_backoffice::webhook::{
    Lane, LaneKey, LaneOutcome, LaneRepository, OpenMessage, Recorded,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::OrderId;
use pressline_domain::time::Timestamp;
use tokio::time::{Instant, sleep};

type Result<T> = std::result::Result<T, RepositoryError>;

pub(crate) struct Watched {
    kept: MemoryWebhooks,
    /// How long a look takes.
    pub(crate) look_takes: Duration,
    /// How long any other call takes.
    pub(crate) call_takes: Duration,
    /// Lanes that each look finds besides the others.
    pub(crate) also_found: Vec<LaneKey>,
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

    /// Returns the times between one look and the next, in milliseconds.
    pub(crate) fn gaps(&self) -> Vec<u128> {
        let looks = self.looks.lock().unwrap();
        let pairs = looks.windows(2);
        pairs.map(|pair| (pair[1] - pair[0]).as_millis()).collect()
    }

    /// Returns the highest number of calls besides looks that ran together.
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
impl LaneRepository for Watched {
    async fn with_news(&self, now: Timestamp, limit: u32) -> Result<Vec<LaneKey>> {
        self.looks.lock().unwrap().push(Instant::now());
        sleep(self.look_takes).await;
        if self.is_away.load(Ordering::SeqCst) {
            return Err(RepositoryError::Unavailable("it is away".into()));
        }
        let mut found = self.kept.with_news(now, limit).await?;
        found.extend(&self.also_found);
        Ok(found)
    }

    async fn lease(&self, lane: LaneKey, now: Timestamp, until: Timestamp) -> Result<Option<Lane>> {
        self.call(self.kept.lease(lane, now, until)).await
    }

    async fn due(&self, lane: LaneKey, now: Timestamp, limit: u32) -> Result<Vec<OpenMessage>> {
        self.call(self.kept.due(lane, now, limit)).await
    }

    async fn oldest(&self, lane: LaneKey) -> Result<Option<OpenMessage>> {
        self.call(self.kept.oldest(lane)).await
    }

    async fn blocked(
        &self,
        lane: LaneKey,
        orders: &BTreeSet<OrderId>,
    ) -> Result<BTreeSet<OrderId>> {
        self.call(self.kept.blocked(lane, orders)).await
    }

    async fn record(&self, outcome: &LaneOutcome) -> Result<Recorded> {
        self.call(self.kept.record(outcome)).await
    }

    async fn end_leases(&self, now: Timestamp) -> Result<()> {
        self.kept.end_leases(now).await
    }
}
