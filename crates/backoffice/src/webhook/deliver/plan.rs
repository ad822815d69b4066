//! Plans of delivery runs, their inputs, and the reports of their attempts.

use std::collections::BTreeSet;

use crate::webhook::delivery::{SendReport, SentEvent};
use crate::webhook::endpoint::{EndpointRecord, SandboxAction};
use crate::webhook::subscription::{OpenMessage, Subscription};
use pressline_domain::event::EventType;
use pressline_domain::value::{DeliveryId, OrderId, Timestamp};

/// An event after the cursor of a subscription, reduced to the values that a plan needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubscriptionEvent {
    /// Sequence of the event in its store.
    pub sequence: u64,
    /// Type of the event.
    pub kind: EventType,
    /// Order of the event; `None` if it concerns no order.
    pub order: Option<OrderId>,
    /// Time at which the event happened.
    pub at: Timestamp,
}

/// State of a subscription that a plan is based on, as loaded from the repositories.
#[derive(Debug, Clone, Copy)]
pub struct SubscriptionView<'a> {
    /// Subscription with its cursor and lease.
    pub subscription: Subscription,
    /// Endpoint of the subscription, with its settings, secrets and health.
    pub record: &'a EndpointRecord,
    /// Time at which the plan is made.
    pub now: Timestamp,
    /// Due messages of different orders, earliest `due` first. Not used by a plan that probes.
    pub due: &'a [OpenMessage],
    /// Open message with the lowest sequence; `None` without open messages. Only used to probe.
    pub oldest: Option<OpenMessage>,
    /// Events after the cursor of `subscription`, by ascending sequence.
    pub events: &'a [SubscriptionEvent],
    /// Sequence up to which events were read. Events that are missing in `events` are of types that
    /// the endpoint does not receive.
    pub read_to: u64,
    /// `true` if the store has no event after `read_to` now.
    pub is_end: bool,
    /// Orders of `events` that have an open message.
    pub blocked: &'a BTreeSet<OrderId>,
}

/// An event that a delivery run sends or drops, with the number of the attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// Sequence of the event in its store.
    pub sequence: u64,
    /// Order of the event; `None` if it concerns no order.
    pub order: Option<OrderId>,
    /// Number of the attempt in the event's schedule, from 1.
    pub number: u32,
    /// Open message of the event; `None` if the event is after the cursor.
    pub message: Option<OpenMessage>,
    /// `true` if the event is not sent but reported as
    /// [`DeliveryError::SandboxDrop`](crate::webhook::DeliveryError::SandboxDrop).
    pub is_dropped: bool,
}

/// Work of a delivery run: the attempts to make, the events that become messages without an
/// attempt, and how far the cursor may move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Subscription with its stored cursor.
    pub subscription: Subscription,
    /// Events that are sent concurrently, by ascending `sequence`.
    pub attempts: Vec<Attempt>,
    /// Time to plan again if the sandbox holds an event back for the next event; else `None`.
    pub look_again: Option<Timestamp>,
    /// Cursor after the run, if all events in `attempts` are resolved or become open messages.
    pub(super) cursor: u64,
    /// New messages for events up to `cursor` that this run does not send.
    pub(super) aside: Vec<OpenMessage>,
    /// Sequence of the event with a sandbox fault, and the fault; `None` without a fault.
    pub(super) sandboxed: Option<(u64, SandboxAction)>,
    pub(super) is_probe: bool,
    /// `true` to end the endpoint's pause, because no event is left to probe the endpoint with.
    pub(super) ends_probing: bool,
}

impl Plan {
    /// Returns whether there is nothing to send or store. `look_again` may be set nevertheless.
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

/// A worker's report about an attempt to send an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptReport {
    /// Id of the attempt in the log.
    pub id: DeliveryId,
    /// Event that the attempt sent, or tried to send.
    pub event: SentEvent,
    /// Result and times of the attempt.
    pub sent: SendReport,
    /// Any random number: it spreads the times of retries by up to 20 %.
    pub jitter: u32,
}
