//! Model of the stored subscriptions, after the rules in the port's documentation.

use std::collections::{BTreeMap, BTreeSet};

use pressline_backoffice::webhook::{
    Delivery, EndpointRecord, MAX_ATTEMPTS, OpenMessage, RecordResult, Subscription,
    SubscriptionEvent, SubscriptionKey, SubscriptionMode, SubscriptionOutcome,
};
use pressline_domain::value::{EndpointId, OrderId, StoreId, Timestamp};

#[derive(Default)]
pub(crate) struct World {
    pub(crate) events: BTreeMap<StoreId, Vec<SubscriptionEvent>>,
    pub(crate) endpoints: BTreeMap<EndpointId, EndpointRecord>,
    pub(crate) subscriptions: BTreeMap<SubscriptionKey, Row>,
    pub(crate) log: Vec<Delivery>,
    /// Events without a successful attempt, and without further attempts.
    pub(crate) failed: BTreeSet<(SubscriptionKey, u64)>,
}

#[derive(Default)]
pub(crate) struct Row {
    pub(crate) cursor: u64,
    pub(crate) lease: u64,
    pub(crate) leased_until: Option<Timestamp>,
    pub(crate) messages: BTreeMap<u64, OpenMessage>,
}

impl World {
    pub(crate) fn record_of(&self, key: SubscriptionKey) -> &EndpointRecord {
        &self.endpoints[&key.endpoint]
    }

    pub(crate) fn events_after(&self, key: SubscriptionKey, cursor: u64) -> Vec<SubscriptionEvent> {
        let events = self.events[&key.store].iter();
        events
            .filter(|event| event.sequence > cursor)
            .take(100)
            .copied()
            .collect()
    }

    pub(crate) fn with_pending_events(&self, now: Timestamp) -> Vec<SubscriptionKey> {
        let has_pending_events = |key: &SubscriptionKey, row: &Row| {
            let is_due = || row.messages.values().any(|message| message.due <= now);
            let has_events = || self.events[&key.store].len() as u64 > row.cursor;
            let is_free = row.leased_until.is_none_or(|until| until <= now);
            let mode = || SubscriptionMode::new(self.record_of(*key), key.store, now);
            is_free && mode() != SubscriptionMode::Nothing && (has_events() || is_due())
        };
        let subscriptions = self
            .subscriptions
            .iter()
            .filter(|(key, row)| has_pending_events(key, row));
        subscriptions.map(|(key, _)| *key).collect()
    }

    pub(crate) fn lease(&mut self, key: SubscriptionKey, until: Timestamp) -> Subscription {
        let row = self.subscriptions.get_mut(&key).unwrap();
        row.lease += 1;
        row.leased_until = Some(until);
        Subscription {
            key,
            cursor: row.cursor,
            lease: row.lease,
        }
    }

    pub(crate) fn due(&self, key: SubscriptionKey, now: Timestamp) -> Vec<OpenMessage> {
        let mut orders = BTreeSet::new();
        let due = self.subscriptions[&key]
            .messages
            .values()
            .filter(|message| message.due <= now);
        // Only the message with the lowest sequence of each order is due.
        let lowest = due.filter(|message| message.order.is_none_or(|order| orders.insert(order)));
        let mut due: Vec<OpenMessage> = lowest.copied().collect();
        due.sort_by_key(|message| (message.due, message.sequence));
        due.truncate(8);
        due
    }

    pub(crate) fn oldest(&self, key: SubscriptionKey) -> Option<OpenMessage> {
        self.subscriptions[&key].messages.values().next().copied()
    }

    pub(crate) fn blocked(&self, key: SubscriptionKey) -> BTreeSet<OrderId> {
        let messages = self.subscriptions[&key].messages.values();
        messages.filter_map(|message| message.order).collect()
    }

    pub(crate) fn record(&mut self, outcome: &SubscriptionOutcome) -> RecordResult {
        let key = outcome.subscription.key;
        let row = self.subscriptions.get_mut(&key).unwrap();
        if row.lease != outcome.subscription.lease {
            return RecordResult::LeaseLost;
        }
        if let Some(change) = outcome.endpoint {
            let record = self.endpoints.get_mut(&key.endpoint).unwrap();
            if record.version != change.expected {
                return RecordResult::EndpointChanged;
            }
            record.state = change.state;
            record.version += 1;
        }
        row.cursor = outcome.subscription.cursor;
        row.leased_until = outcome.leased_until;
        for sequence in &outcome.settled {
            row.messages.remove(sequence);
        }
        for message in &outcome.open {
            row.messages.insert(message.sequence, *message);
        }
        for order in &outcome.released {
            let mut messages = row.messages.values_mut();
            let earliest = messages.find(|message| message.order == Some(*order));
            if let Some(message) = earliest.filter(|message| message.waits) {
                (message.due, message.waits) = (outcome.at, false);
            }
        }
        let is_failed = |delivery: &&Delivery| {
            let is_last = delivery.next_attempt_at.is_none() && delivery.attempt == MAX_ATTEMPTS;
            is_last && delivery.result.error.is_some()
        };
        let failed = outcome.deliveries.iter().filter(is_failed);
        let failed = failed.filter_map(|delivery| delivery.event.sequence);
        self.failed.extend(failed.map(|sequence| (key, sequence)));
        self.log.extend(outcome.deliveries.iter().cloned());
        RecordResult::Done
    }

    /// Returns the next time after `now` when an action is due without a new event.
    pub(crate) fn next_moment(&self, now: Timestamp) -> Option<Timestamp> {
        let pauses = self
            .endpoints
            .values()
            .filter_map(|record| record.state.pause);
        let pauses = pauses.map(|pause| pause.until);
        let rows = self.subscriptions.values();
        let leases = rows.clone().filter_map(|row| row.leased_until);
        let due = rows.flat_map(|row| row.messages.values().map(|message| message.due));
        let moments = pauses.chain(leases).chain(due);
        moments.filter(|moment| *moment > now).min()
    }
}
