//! Subscriptions: how far the events of a store were sent to an endpoint.

use super::delivery::{Delivery, SubscriptionKey};
use super::endpoint::{Disabled, EndpointState};
use pressline_domain::id::OrderId;
use pressline_domain::time::Timestamp;

/// A subscription that a worker holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subscription {
    /// The subscription.
    pub key: SubscriptionKey,
    /// Sequence up to which each event is settled or has an open message.
    pub cursor: u64,
    /// Number of the lease. A later lease of the subscription has a higher one.
    pub lease: u64,
}

/// An event at or below the cursor of its subscription that is not settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenMessage {
    /// Sequence of the event.
    pub sequence: u64,
    /// Its order; `None` for an event that concerns none.
    pub order: Option<OrderId>,
    /// Attempts so far. Resending begins again with 0.
    pub attempts: u32,
    /// When it is sent next.
    pub due: Timestamp,
    /// It was not sent yet because an earlier event of its order is open. It is sent when that one is settled, at
    /// the latest when it is due.
    pub waits: bool,
}

/// What came of a worker's look at a subscription: stored in one transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct SubscriptionOutcome {
    /// The subscription, with its cursor as it is from now on, and the lease that the worker holds.
    pub subscription: Subscription,
    /// When.
    pub at: Timestamp,
    /// Until when the worker keeps the lease; `None` gives it back.
    pub leased_until: Option<Timestamp>,
    /// Messages that are open from now on, or remain so with other values.
    pub open: Vec<OpenMessage>,
    /// Sequences of the messages that are not open any more.
    pub settled: Vec<u64>,
    /// Orders of which a message was settled: the earliest open message of each is due now, if it waits.
    pub released: Vec<OrderId>,
    /// Attempts for the log.
    pub deliveries: Vec<Delivery>,
    /// How the endpoint does from now on, if that changed.
    pub endpoint: Option<EndpointChange>,
}

impl SubscriptionOutcome {
    /// Returns the outcome of a look that changed nothing but the lease.
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

/// Another state of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndpointChange {
    /// The state.
    pub state: EndpointState,
    /// The version of the endpoint that it was made from.
    pub expected: u32,
    /// The service has disabled this endpoint of a store: the event `webhook.disabled` is added to
    /// the store's events.
    pub announced: Option<Disabled>,
}

/// Whether an outcome was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordResult {
    /// It was.
    Done,
    /// It was not: another worker holds the subscription, or its owner moved its cursor.
    LeaseLost,
    /// It was not: the endpoint was changed in between, or removed.
    EndpointChanged,
}

/// Where a subscription begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubscriptionStart {
    /// After the latest event of its store.
    Now,
    /// After this sequence.
    After(u64),
}

/// How far an endpoint is behind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lag {
    /// Events after the cursors of its subscriptions, and open messages.
    pub events: u64,
    /// When the oldest of them happened.
    pub oldest: Option<Timestamp>,
}
