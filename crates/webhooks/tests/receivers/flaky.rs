//! A database that fails now and then.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use pressline_backoffice::memory::MemoryWebhooks;
use pressline_backoffice::webhook::{
    OpenMessage, RecordResult, Subscription, SubscriptionKey, SubscriptionOutcome,
    SubscriptionRepository,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::{OrderId, Timestamp};

use crate::server::{Receiver, status};
use crate::world::{World, until};

/// Rejects every eleventh call. Reports a timeout for some outcomes that it has stored.
struct Flaky {
    kept: MemoryWebhooks,
    calls: AtomicU64,
}

impl Flaky {
    fn fails(&self) -> Result<(), RepositoryError> {
        if self.calls.fetch_add(1, Ordering::SeqCst) % 11 == 5 {
            return Err(RepositoryError::Unavailable("it is away".into()));
        }
        Ok(())
    }
}

#[async_trait]
impl SubscriptionRepository for Flaky {
    async fn with_pending_events(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<SubscriptionKey>, RepositoryError> {
        self.fails()?;
        self.kept.with_pending_events(now, limit).await
    }

    async fn lease(
        &self,
        subscription: SubscriptionKey,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Subscription>, RepositoryError> {
        self.fails()?;
        self.kept.lease(subscription, now, until).await
    }

    async fn due(
        &self,
        subscription: SubscriptionKey,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<OpenMessage>, RepositoryError> {
        self.fails()?;
        self.kept.due(subscription, now, limit).await
    }

    async fn oldest(
        &self,
        subscription: SubscriptionKey,
    ) -> Result<Option<OpenMessage>, RepositoryError> {
        self.fails()?;
        self.kept.oldest(subscription).await
    }

    async fn blocked(
        &self,
        subscription: SubscriptionKey,
        orders: &BTreeSet<OrderId>,
    ) -> Result<BTreeSet<OrderId>, RepositoryError> {
        self.fails()?;
        self.kept.blocked(subscription, orders).await
    }

    async fn record(&self, outcome: &SubscriptionOutcome) -> Result<RecordResult, RepositoryError> {
        self.fails()?;
        let recorded = self.kept.record(outcome).await?;
        if self.calls.load(Ordering::SeqCst).is_multiple_of(5) {
            // Stored, but the worker must find that out by itself.
            return Err(RepositoryError::Timeout("it is slow".into()));
        }
        Ok(recorded)
    }

    async fn end_leases(&self, now: Timestamp) -> Result<(), RepositoryError> {
        self.kept.end_leases(now).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flaky_database_delays_events_but_repeats_none() {
    let mut world = World::new().await;
    let receiver = Receiver::new(|_| status(200)).await;
    let id = world.add(&receiver).await;
    let flaky = Arc::new(Flaky {
        kept: world.webhooks.clone(),
        calls: AtomicU64::new(0),
    });
    let worker = world.run_with(&[receiver.port], flaky);
    world.happen(20, 2).await;
    until("caught up", || async { world.lag(id).await.events == 0 }).await;
    worker.stop().await;
    let mut sequences = receiver.sequences();
    sequences.sort_unstable();
    assert_eq!(sequences, (1..=60).collect::<Vec<u64>>(), "each once");
}
