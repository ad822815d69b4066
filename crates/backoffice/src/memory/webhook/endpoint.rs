//! Webhook endpoints in memory.

use async_trait::async_trait;

use super::{Inner, MemoryWebhooks};
use crate::memory::at_most;
use crate::webhook::{
    Endpoint, EndpointDirectory, EndpointOwner, EndpointRecord, EndpointScope, Lag,
    SubscriptionClock, SubscriptionKey, SubscriptionStart,
};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::event::FeedEvent;
use pressline_domain::value::{EndpointId, StoreId, Timestamp};
use pressline_kit::lock;

#[async_trait]
impl EndpointDirectory for MemoryWebhooks {
    async fn add(&self, record: &EndpointRecord, most: usize) -> Result<bool> {
        let mut inner = self.kept();
        if !self.endpoints.add(&self.stores, record, most)? {
            return Ok(false);
        }
        // New subscriptions begin after the latest event of their stores.
        for subscription in self.subscriptions(record) {
            self.start(&mut inner, subscription, SubscriptionStart::Now);
        }
        Ok(true)
    }

    async fn find(&self, id: EndpointId) -> Result<Option<EndpointRecord>> {
        Ok(self.endpoints.find(id))
    }

    async fn list(&self, owner: EndpointOwner) -> Result<Vec<EndpointRecord>> {
        let mut records = self.endpoints.all();
        records.retain(|record| record.endpoint.scope.owner() == owner);
        records.sort_by_key(|record| (record.endpoint.created_at, record.endpoint.id));
        Ok(records)
    }

    async fn page(&self, after: Option<EndpointId>, limit: u32) -> Result<Vec<EndpointRecord>> {
        let mut records = self.endpoints.all();
        records.retain(|record| after.is_none_or(|after| record.endpoint.id > after));
        records.sort_by_key(|record| record.endpoint.id);
        records.truncate(at_most(limit));
        Ok(records)
    }

    async fn replace(
        &self,
        record: &EndpointRecord,
        expected: u32,
        start: Option<SubscriptionStart>,
    ) -> Result<()> {
        let mut inner = self.kept();
        let current = self.endpoints.find(record.endpoint.id);
        let stored = current.filter(|stored| stored.version == expected);
        let before = stored.ok_or(RepositoryError::Stale)?;
        let changed = EndpointRecord {
            endpoint: Endpoint {
                // Id and creation time cannot be changed.
                id: before.endpoint.id,
                created_at: before.endpoint.created_at,
                ..record.endpoint.clone()
            },
            version: expected.saturating_add(1),
            ..record.clone()
        };
        self.endpoints.replace(&self.stores, &changed)?;
        self.move_subscriptions(&mut inner, &before.endpoint.scope, &changed);
        if let Some(start) = start {
            for subscription in self.subscriptions(&changed) {
                self.start(&mut inner, subscription, start);
            }
        }
        Ok(())
    }

    async fn remove(&self, id: EndpointId) -> Result<bool> {
        let mut inner = self.kept();
        inner
            .subscriptions
            .retain(|subscription, _| subscription.endpoint != id);
        inner.deliveries.retain(|_, sent| sent.endpoint != id);
        Ok(lock(&self.endpoints.0).remove(&id).is_some())
    }

    async fn lag(&self, id: EndpointId) -> Result<Lag> {
        let inner = self.kept();
        let record = self.endpoints.find(id);
        let subscriptions = record.map_or_else(Vec::new, |record| self.subscriptions(&record));
        let mut lag = Lag::default();
        for subscription in subscriptions {
            let row = inner.subscriptions.get(&subscription);
            let cursor = inner.cursor(subscription);
            let behind = self.events(subscription.store, |event| {
                let is_open = row.is_some_and(|row| row.open.contains_key(&event.sequence()));
                // Open messages are not delivered, although the cursor has passed them.
                event.sequence() > cursor || is_open
            });
            lag.events = lag.events.saturating_add(behind.len() as u64);
            let times = behind.iter().map(FeedEvent::at);
            lag.oldest = times.chain(lag.oldest).min();
        }
        Ok(lag)
    }
}

impl MemoryWebhooks {
    /// Also removes open messages and ends the lease.
    fn start(&self, inner: &mut Inner, subscription: SubscriptionKey, start: SubscriptionStart) {
        let row = inner.subscriptions.entry(subscription).or_default();
        row.cursor = match start {
            SubscriptionStart::Now => self.last_sequence(subscription.store),
            SubscriptionStart::After(sequence) => sequence,
        };
        // The new number invalidates the lease of a worker that is sending.
        row.lease = row.lease.saturating_add(1);
        row.leased_until = None;
        row.open.clear();
        inner.forget_next_attempts(subscription);
    }

    fn move_subscriptions(
        &self,
        inner: &mut Inner,
        before: &EndpointScope,
        record: &EndpointRecord,
    ) {
        let (endpoint, scope) = (record.endpoint.id, &record.endpoint.scope);
        let subscriptions = inner.subscriptions.keys().copied();
        let silent = subscriptions.filter(|subscription| {
            subscription.endpoint == endpoint && !scope.includes(subscription.store)
        });
        for subscription in silent.collect::<Vec<SubscriptionKey>>() {
            inner.subscriptions.remove(&subscription);
            inner.forget_next_attempts(subscription);
        }
        for subscription in self.subscriptions(record) {
            if before.includes(subscription.store) {
                // Already subscribed: the cursor stays.
                inner.subscriptions.entry(subscription).or_default();
            } else {
                self.start(inner, subscription, SubscriptionStart::Now);
            }
        }
    }
}

fn earlier(moment: Timestamp, seconds: u32) -> Timestamp {
    let millis = i64::from(seconds).saturating_mul(1000);
    Timestamp::from_millis(moment.as_millis().saturating_sub(millis))
}

#[async_trait]
impl SubscriptionClock for MemoryWebhooks {
    async fn advance(&self, store: StoreId, seconds: u32) -> Result<()> {
        let mut inner = self.kept();
        // Endpoints of the print shop are excluded: they may also serve stores with production
        // orders.
        let own = EndpointScope::Store(store);
        let mut records = self.endpoints.all();
        records.retain(|record| record.endpoint.scope == own);
        for mut record in records {
            let endpoint = record.endpoint.id;
            let row = inner
                .subscriptions
                .get_mut(&SubscriptionKey { store, endpoint });
            let open = row.into_iter().flat_map(|row| row.open.values_mut());
            open.for_each(|message| message.due = earlier(message.due, seconds));
            let deliveries = inner.deliveries.values_mut();
            for delivery in deliveries.filter(|delivery| delivery.endpoint == endpoint) {
                let next = delivery.next_attempt_at;
                delivery.next_attempt_at = next.map(|next| earlier(next, seconds));
            }
            let state = &mut record.state;
            if let Some(pause) = &mut state.pause {
                pause.until = earlier(pause.until, seconds);
            }
            state.failing_since = state.failing_since.map(|since| earlier(since, seconds));
            // Outcomes that workers compute from the old state are refused.
            record.version = record.version.saturating_add(1);
            self.endpoints.replace(&self.stores, &record)?;
        }
        Ok(())
    }
}
