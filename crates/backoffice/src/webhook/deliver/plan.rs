//! Plans of subscriptions, and their inputs: events, messages and the view of a subscription.

use std::collections::BTreeSet;

use crate::webhook::endpoint::{EndpointRecord, SandboxAction};
use crate::webhook::subscription::{OpenMessage, Subscription};
use pressline_domain::event::EventType;
use pressline_domain::id::OrderId;
use pressline_domain::time::Timestamp;

/// An event after the cursor of a subscription, as far as the decision needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubscriptionEvent {
    /// Its sequence.
    pub sequence: u64,
    /// What happened.
    pub kind: EventType,
    /// Its order; `None` for an event that concerns none.
    pub order: Option<OrderId>,
    /// When it happened.
    pub at: Timestamp,
}

/// A subscription as a worker sees it.
#[derive(Debug, Clone, Copy)]
pub struct SubscriptionView<'a> {
    /// The subscription.
    pub subscription: Subscription,
    /// Its endpoint.
    pub record: &'a EndpointRecord,
    /// The time.
    pub now: Timestamp,
    /// Messages that are due, of different orders, earliest due first. To send.
    pub due: &'a [OpenMessage],
    /// The open message with the lowest sequence. To probe.
    pub oldest: Option<OpenMessage>,
    /// Events after the cursor, ascending.
    pub events: &'a [SubscriptionEvent],
    /// Sequence up to which events were read. Those that are missing up to it are of types that the endpoint leaves out.
    pub read_to: u64,
    /// Whether the store has no later event at present.
    pub is_end: bool,
    /// Those orders of the events that have an open message.
    pub blocked: &'a BTreeSet<OrderId>,
}

/// An event to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// Its sequence.
    pub sequence: u64,
    /// Its order.
    pub order: Option<OrderId>,
    /// Number of the attempt in the schedule of the event, from 1.
    pub number: u32,
    /// The open message, unless the event is after the cursor.
    pub message: Option<OpenMessage>,
    /// Not sent, and reported as [`DeliveryError::SandboxDrop`](crate::webhook::DeliveryError::SandboxDrop).
    pub is_dropped: bool,
}

/// What a worker does with a subscription now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The subscription, with its cursor as it is.
    pub subscription: Subscription,
    /// What is sent at the same time, ascending by sequence.
    pub attempts: Vec<Attempt>,
    /// When to look again if there is nothing to do now, although an event is left.
    pub look_again: Option<Timestamp>,
    /// The cursor, if everything that is sent is settled or gets a message.
    pub(super) cursor: u64,
    /// Events that leave the subscription without being sent now.
    pub(super) aside: Vec<OpenMessage>,
    /// Sequence of the event that the sandbox does something to, and what.
    pub(super) sandboxed: Option<(u64, SandboxAction)>,
    pub(super) is_probe: bool,
    /// The subscription that probed has nothing left to probe with.
    pub(super) ends_probing: bool,
}

impl Plan {
    /// Returns whether there is neither anything to send nor anything to store.
    pub fn is_empty(&self) -> bool {
        let has_moved = self.cursor > self.subscription.cursor;
        self.attempts.is_empty() && !has_moved && !self.ends_probing
    }

    pub(super) fn new(subscription: Subscription) -> Self {
        Self {
            subscription,
            attempts: Vec::new(),
            look_again: None,
            cursor: subscription.cursor,
            aside: Vec::new(),
            sandboxed: None,
            is_probe: false,
            ends_probing: false,
        }
    }
}

impl Attempt {
    pub(super) fn of_event(event: &SubscriptionEvent) -> Self {
        Self {
            sequence: event.sequence,
            order: event.order,
            number: 1,
            message: None,
            is_dropped: false,
        }
    }

    pub(super) fn of_message(message: OpenMessage) -> Self {
        Self {
            sequence: message.sequence,
            order: message.order,
            number: message.attempts + 1,
            message: Some(message),
            is_dropped: false,
        }
    }
}

pub(super) fn is_wanted(view: &SubscriptionView<'_>, event: &SubscriptionEvent) -> bool {
    let types = &view.record.endpoint.types;
    types.is_empty() || types.contains(&event.kind)
}

pub(super) fn message(event: &SubscriptionEvent, due: Timestamp, waits: bool) -> OpenMessage {
    OpenMessage {
        sequence: event.sequence,
        order: event.order,
        attempts: 0,
        due,
        waits,
    }
}
