//! Delivery log in memory.

use std::ops::Bound;

use async_trait::async_trait;

use super::{Inner, MemoryWebhooks};
use crate::memory::at_most;
use crate::webhook::{
    Delivery, DeliveryFilter, DeliveryLog, DeliveryStatus, EndpointOwner, EndpointRecord,
    OpenMessage, RecoverFrom, SubscriptionKey,
};
use pressline_domain::error::Result;
use pressline_domain::event::FeedEvent;
use pressline_domain::value::{DeliveryId, Timestamp};

impl Inner {
    fn send_again(&mut self, subscription: SubscriptionKey, event: &FeedEvent, now: Timestamp) {
        let message = OpenMessage {
            sequence: event.sequence(),
            order: event.order(),
            attempts: 0,
            due: now,
            waits: false,
        };
        let row = self.subscriptions.entry(subscription).or_default();
        row.open.insert(event.sequence(), message);
    }

    fn has_taken(&self, subscription: SubscriptionKey, sequence: u64) -> bool {
        let mut deliveries = self.deliveries.values();
        deliveries.any(|delivery| {
            delivery.subscription() == subscription
                && delivery.event.sequence == Some(sequence)
                && delivery.result.status() == DeliveryStatus::Succeeded
        })
    }
}

#[async_trait]
impl DeliveryLog for MemoryWebhooks {
    async fn add(&self, delivery: &Delivery) -> Result<()> {
        let mut inner = self.kept();
        inner.deliveries.insert(delivery.id, delivery.clone());
        Ok(())
    }

    async fn search(
        &self,
        owner: EndpointOwner,
        filter: &DeliveryFilter,
        before: Option<DeliveryId>,
        limit: u32,
    ) -> Result<Vec<Delivery>> {
        let inner = self.kept();
        let end = before.map_or(Bound::Unbounded, Bound::Excluded);
        let deliveries = inner
            .deliveries
            .range((Bound::Unbounded, end))
            .rev()
            .map(|(_, delivery)| delivery);
        let own = deliveries.filter(|delivery| self.owner(delivery) == Some(owner));
        let matching = own.filter(|delivery| filter.matches(delivery));
        Ok(matching.take(at_most(limit)).cloned().collect())
    }

    async fn find(&self, owner: EndpointOwner, id: DeliveryId) -> Result<Option<Delivery>> {
        let inner = self.kept();
        let delivery = inner.deliveries.get(&id);
        let own = delivery.filter(|delivery| self.owner(delivery) == Some(owner));
        Ok(own.cloned())
    }

    async fn resend(
        &self,
        subscription: SubscriptionKey,
        sequence: u64,
        now: Timestamp,
    ) -> Result<bool> {
        let mut inner = self.kept();
        if !self.has_subscription(subscription) {
            return Ok(false);
        }
        let events = self.events(subscription.store, |event| event.sequence() == sequence);
        let Some(event) = events.first() else {
            return Ok(false);
        };
        // Events after the cursor will be sent anyway.
        if sequence <= inner.cursor(subscription) {
            inner.send_again(subscription, event, now);
        }
        Ok(true)
    }

    async fn recover(
        &self,
        endpoint: &EndpointRecord,
        from: RecoverFrom,
        oldest: Timestamp,
        now: Timestamp,
    ) -> Result<u64> {
        let mut inner = self.kept();
        let types = &endpoint.endpoint.types;
        let mut count = 0;
        for subscription in self.subscriptions(endpoint) {
            let cursor = inner.cursor(subscription);
            let events = self.events(subscription.store, |event| {
                let is_of_type = types.is_empty() || types.contains(&event.kind());
                let is_asked = match from {
                    RecoverFrom::After(sequence) => event.sequence() > sequence,
                    RecoverFrom::Since(moment) => event.at() >= moment,
                };
                // Events after the cursor will be sent anyway.
                event.sequence() <= cursor && event.at() >= oldest && is_of_type && is_asked
            });
            for event in events {
                if !inner.has_taken(subscription, event.sequence()) {
                    inner.send_again(subscription, &event, now);
                    count += 1;
                }
            }
        }
        Ok(count)
    }

    async fn prune(&self, before: Timestamp, limit: u32) -> Result<u64> {
        let mut inner = self.kept();
        let deliveries = inner.deliveries.values();
        let old_deliveries = deliveries.filter(|delivery| delivery.started_at < before);
        let mut old: Vec<_> = old_deliveries.map(|old| (old.started_at, old.id)).collect();
        old.sort();
        old.truncate(at_most(limit));
        for (_, id) in &old {
            inner.deliveries.remove(id);
        }
        Ok(old.len() as u64)
    }
}
