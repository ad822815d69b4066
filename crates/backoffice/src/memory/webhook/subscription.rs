//! Webhook subscriptions in memory.

use std::collections::BTreeSet;

use async_trait::async_trait;

use super::{Inner, MemoryWebhooks, SubscriptionRow};
use crate::memory::at_most;
use crate::webhook::{
    Delivery, OpenMessage, RESTART_PAUSES, RecordResult, Subscription, SubscriptionKey,
    SubscriptionMode, SubscriptionOutcome, SubscriptionRepository, longest_restart_pause,
};
use pressline_domain::error::Result;
use pressline_domain::value::{OrderId, Timestamp};

impl SubscriptionRow {
    fn is_leased(&self, now: Timestamp) -> bool {
        self.leased_until.is_some_and(|until| until > now)
    }

    fn apply(&mut self, outcome: &SubscriptionOutcome) {
        // Progress, or a lease given back, resets the pauses after restarts (ADR 23).
        if self.cursor != outcome.subscription.cursor || outcome.leased_until.is_none() {
            self.restarts = 0;
        }
        self.cursor = outcome.subscription.cursor;
        self.leased_until = outcome.leased_until;
        for sequence in &outcome.settled {
            self.open.remove(sequence);
        }
        let open = outcome
            .open
            .iter()
            .map(|message| (message.sequence, *message));
        self.open.extend(open);
        for order in &outcome.released {
            let mut open = self.open.values_mut();
            let first = open.find(|message| message.order == Some(*order));
            // If the order's first open message is being retried, its later messages keep waiting.
            if let Some(message) = first.filter(|message| message.waits) {
                message.waits = false;
                message.due = outcome.at;
            }
        }
    }
}

impl Inner {
    /// Also removes the `next_attempt_at` of earlier attempts to send the same event.
    fn log(&mut self, delivery: &Delivery) {
        let sequence = delivery.event.sequence;
        let is_earlier = |other: &&mut Delivery| {
            sequence.is_some()
                && other.event.sequence == sequence
                && other.subscription() == delivery.subscription()
        };
        for other in self.deliveries.values_mut().filter(is_earlier) {
            other.next_attempt_at = None;
        }
        self.deliveries.insert(delivery.id, delivery.clone());
    }
}

#[async_trait]
impl SubscriptionRepository for MemoryWebhooks {
    async fn with_pending_events(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<SubscriptionKey>> {
        let inner = self.kept();
        let has_pending_events = |subscription: &SubscriptionKey| {
            let is_due = |message: &OpenMessage| message.due <= now;
            let is_behind = self.last_sequence(subscription.store) > inner.cursor(*subscription);
            is_behind || inner.open(*subscription).any(is_due)
        };
        let is_leased = |subscription: &SubscriptionKey| {
            inner
                .subscriptions
                .get(subscription)
                .is_some_and(|row| row.is_leased(now))
        };
        let mut pending = Vec::new();
        for record in self.endpoints.all() {
            let subscriptions = self.subscriptions(&record).into_iter();
            let free = subscriptions.filter(|subscription| !is_leased(subscription));
            pending.extend(free.filter(|subscription| {
                match SubscriptionMode::new(&record, subscription.store, now) {
                    SubscriptionMode::Nothing => false,
                    // A probe is due when the pause ends, also without pending events.
                    SubscriptionMode::Probe => true,
                    SubscriptionMode::Send(_) => has_pending_events(subscription),
                }
            }));
        }
        pending.truncate(at_most(limit));
        Ok(pending)
    }

    async fn lease(
        &self,
        subscription: SubscriptionKey,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Subscription>> {
        let mut inner = self.kept();
        if !self.has_subscription(subscription) {
            return Ok(None);
        }
        let row = inner.subscriptions.entry(subscription).or_default();
        if row.is_leased(now) {
            return Ok(None);
        }
        row.lease = row.lease.saturating_add(1);
        row.leased_until = Some(until);
        Ok(Some(Subscription {
            key: subscription,
            cursor: row.cursor,
            lease: row.lease,
        }))
    }

    async fn due(
        &self,
        subscription: SubscriptionKey,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<OpenMessage>> {
        let inner = self.kept();
        let mut orders = BTreeSet::new();
        // In ascending order of sequences, so that the first message of each order is kept.
        let due = inner
            .open(subscription)
            .filter(|message| message.due <= now);
        let mut first: Vec<OpenMessage> = due
            .filter(|message| message.order.is_none_or(|order| orders.insert(order)))
            .copied()
            .collect();
        first.sort_by_key(|message| (message.due, message.sequence));
        first.truncate(at_most(limit));
        Ok(first)
    }

    async fn oldest(&self, subscription: SubscriptionKey) -> Result<Option<OpenMessage>> {
        Ok(self.kept().open(subscription).next().copied())
    }

    async fn blocked(
        &self,
        subscription: SubscriptionKey,
        orders: &BTreeSet<OrderId>,
    ) -> Result<BTreeSet<OrderId>> {
        let inner = self.kept();
        let open = inner.open(subscription).filter_map(|message| message.order);
        Ok(open.filter(|order| orders.contains(order)).collect())
    }

    async fn record(&self, outcome: &SubscriptionOutcome) -> Result<RecordResult> {
        let mut inner = self.kept();
        let subscription = outcome.subscription;
        let row = inner.subscriptions.get_mut(&subscription.key);
        // If the numbers differ, a later lease exists. Comparing numbers works even if clocks
        // differ.
        let Some(row) = row.filter(|row| row.lease == subscription.lease) else {
            return Ok(RecordResult::LeaseLost);
        };
        if let Some(change) = &outcome.endpoint {
            let record = self.endpoints.find(subscription.key.endpoint);
            let Some(mut record) = record.filter(|record| record.version == change.expected) else {
                return Ok(RecordResult::EndpointChanged);
            };
            record.state = change.state;
            record.version = record.version.saturating_add(1);
            self.endpoints.replace(&self.stores, &record)?;
        }
        row.apply(outcome);
        for delivery in &outcome.deliveries {
            inner.log(delivery);
        }
        if let Some(disabled) = outcome.endpoint.and_then(|change| change.announced) {
            let event = disabled.event(subscription.key.endpoint);
            self.orders
                .add_endpoint_event(subscription.key.store, event);
        }
        Ok(RecordResult::Done)
    }

    async fn end_leases(&self, now: Timestamp) -> Result<()> {
        let longest = longest_restart_pause(now);
        for row in self.kept().subscriptions.values_mut() {
            // A lease that ends earlier may be the pause of an earlier start.
            if row.is_leased(longest) {
                let last = RESTART_PAUSES.len() - 1;
                let pause = RESTART_PAUSES.get(row.restarts).copied();
                row.leased_until = pause.map(|pause| now.plus_millis(pause));
                row.restarts = (row.restarts + 1).min(last);
            }
        }
        Ok(())
    }
}
