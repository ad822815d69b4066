//! Subscriptions: progress of sending the events of a store to an endpoint.

use super::delivery::{Delivery, SubscriptionKey};
use super::endpoint::{Disabled, EndpointState};
use pressline_domain::value::{OrderId, Timestamp};

/// A subscription of an endpoint to a store's events, leased by a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subscription {
    /// Store and endpoint of the subscription.
    pub key: SubscriptionKey,
    /// Sequence up to which each event is resolved or has an [`OpenMessage`].
    pub cursor: u64,
    /// Number of the lease. A later lease of the subscription has a higher number.
    pub lease: u64,
}

/// An unresolved event at or below the `cursor` of its subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenMessage {
    /// Sequence of the event in its store.
    pub sequence: u64,
    /// Order of the event; `None` if it concerns no order.
    pub order: Option<OrderId>,
    /// Number of attempts so far. [`DeliveryLog::resend`](super::DeliveryLog::resend) resets it to
    /// 0.
    pub attempts: u32,
    /// Time of the next attempt to send the event.
    pub due: Timestamp,
    /// `true` if the event was not sent yet because an earlier event of its order is open. It is
    /// sent when the earlier event is resolved, or when it is due.
    pub waits: bool,
}

/// Outcome of a worker's delivery run for a subscription, stored by
/// [`SubscriptionRepository::record`](super::SubscriptionRepository::record) in one transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct SubscriptionOutcome {
    /// Subscription with its new cursor and the worker's lease.
    pub subscription: Subscription,
    /// Time of the outcome, at which released messages become due.
    pub at: Timestamp,
    /// End of the lease if the worker keeps it; `None` gives it back.
    pub leased_until: Option<Timestamp>,
    /// Messages that are open after the run: new messages, and messages with changed values.
    pub open: Vec<OpenMessage>,
    /// Sequences of messages that are no longer open.
    pub settled: Vec<u64>,
    /// Orders with a resolved message: the earliest open message of each becomes due, if it waits.
    pub released: Vec<OrderId>,
    /// Attempts of the run, to be added to the delivery log.
    pub deliveries: Vec<Delivery>,
    /// New state of the endpoint; `None` if it did not change.
    pub endpoint: Option<EndpointChange>,
}

impl SubscriptionOutcome {
    /// Returns an outcome that changes only the lease, to `leased_until`.
    pub fn unchanged(
        subscription: Subscription,
        at: Timestamp,
        leased_until: Option<Timestamp>,
    ) -> Self {
        Self {
            subscription,
            at,
            leased_until,
            open: Vec::new(),
            settled: Vec::new(),
            released: Vec::new(),
            deliveries: Vec::new(),
            endpoint: None,
        }
    }
}

/// Change of an endpoint's health by the results of a delivery run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndpointChange {
    /// Complete new state of the endpoint. It replaces the stored state.
    pub state: EndpointState,
    /// Version of the endpoint that `state` is based on.
    pub expected: u32,
    /// Disabling of a store's endpoint by the service, to announce by an event `webhook.disabled`
    /// among the store's events; `None` if there is nothing to announce.
    pub announced: Option<Disabled>,
}

/// Result of [`SubscriptionRepository::record`](super::SubscriptionRepository::record).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordResult {
    /// The outcome was stored.
    Done,
    /// Not stored: another worker holds the lease, or the owner moved the cursor.
    LeaseLost,
    /// Not stored: the endpoint was changed or removed concurrently.
    EndpointChanged,
}

/// Position at which the subscriptions of an endpoint begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubscriptionStart {
    /// After the latest event of each subscription's store.
    Now,
    /// After the event with this sequence in the endpoint's store.
    After(u64),
}

/// Backlog of an endpoint: open messages, and events after the cursors of its subscriptions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lag {
    /// Number of open messages plus number of events, of all types, after the cursors.
    pub events: u64,
    /// Time of the oldest event in the backlog; `None` without a backlog.
    pub oldest: Option<Timestamp>,
}
