//! Plans of lanes, and their inputs: events, messages and the view of a lane.

use std::collections::BTreeSet;

use crate::webhook::endpoint::{EndpointRecord, SandboxAction};
use crate::webhook::lane::{Lane, OpenMessage};
use pressline_domain::event::EventType;
use pressline_domain::id::OrderId;
use pressline_domain::time::Timestamp;

/// An event after the cursor of a lane, as far as the decision needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneEvent {
    /// Its sequence.
    pub sequence: u64,
    /// What happened.
    pub kind: EventType,
    /// Its order; `None` for an event that concerns none.
    pub order: Option<OrderId>,
    /// When it happened.
    pub at: Timestamp,
}

/// A lane as a worker sees it.
#[derive(Debug, Clone, Copy)]
pub struct LaneView<'a> {
    /// The lane.
    pub lane: Lane,
    /// Its endpoint.
    pub record: &'a EndpointRecord,
    /// The time.
    pub now: Timestamp,
    /// Messages that are due, of different orders, earliest due first. To send.
    pub due: &'a [OpenMessage],
    /// The open message with the lowest sequence. To probe.
    pub oldest: Option<OpenMessage>,
    /// Events after the cursor, ascending.
    pub events: &'a [LaneEvent],
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

/// What a worker does with a lane now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The lane, with its cursor as it is.
    pub lane: Lane,
    /// What is sent at the same time, ascending by sequence.
    pub attempts: Vec<Attempt>,
    /// When to look again if there is nothing to do now, although an event is left.
    pub look_again: Option<Timestamp>,
    /// The cursor, if everything that is sent is settled or gets a message.
    pub(super) cursor: u64,
    /// Events that leave the lane without being sent now.
    pub(super) aside: Vec<OpenMessage>,
    /// Sequence of the event that the sandbox does something to, and what.
    pub(super) sandboxed: Option<(u64, SandboxAction)>,
    pub(super) is_probe: bool,
    /// The lane that probed has nothing left to probe with.
    pub(super) ends_probing: bool,
}

impl Plan {
    /// Returns whether there is neither anything to send nor anything to store.
    pub fn is_empty(&self) -> bool {
        let has_moved = self.cursor > self.lane.cursor;
        self.attempts.is_empty() && !has_moved && !self.ends_probing
    }

    pub(super) fn of(lane: Lane) -> Self {
        Self {
            lane,
            attempts: Vec::new(),
            look_again: None,
            cursor: lane.cursor,
            aside: Vec::new(),
            sandboxed: None,
            is_probe: false,
            ends_probing: false,
        }
    }
}

impl Attempt {
    pub(super) fn of_event(event: &LaneEvent) -> Self {
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

pub(super) fn is_wanted(view: &LaneView<'_>, event: &LaneEvent) -> bool {
    let types = &view.record.endpoint.types;
    types.is_empty() || types.contains(&event.kind)
}

pub(super) fn message(event: &LaneEvent, due: Timestamp, waits: bool) -> OpenMessage {
    OpenMessage {
        sequence: event.sequence,
        order: event.order,
        attempts: 0,
        due,
        waits,
    }
}
