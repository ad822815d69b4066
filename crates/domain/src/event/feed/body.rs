//! The form in which receivers get an event, and what it leaves out for size.

use crate::error::Source;
use crate::event::{EndpointDisabled, Event, EventType};
use crate::id::StoreId;
use crate::limits;
use crate::order::{Order, OrderIdentity};
use crate::time::Timestamp;

/// What comes with an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload {
    /// What changed, and the order as it was right after the event.
    Full,
    /// What changed.
    Changes,
    /// Ids and the paths of what changed: no personal data.
    Thin,
}

pressline_kit::named! {
    /// A part of an event that is left out for size.
    pub enum Omitted {
        /// The order.
        Order = "order",
        /// What changed.
        Changes = "changes",
    }
}

impl Payload {
    /// Returns whether an event is written from its order: all but the paths of what changed.
    pub(super) fn needs_orders(self) -> bool {
        self != Self::Thin
    }

    /// Returns what is left out of an event, in the order of the attempts, until it is small enough.
    fn omissions(self) -> &'static [&'static [Omitted]] {
        match self {
            Self::Full => &[&[], &[Omitted::Order], &[Omitted::Order, Omitted::Changes]],
            Self::Changes | Self::Thin => &[&[], &[Omitted::Changes]],
        }
    }
}

/// An event to write for its receivers.
#[derive(Debug, Clone, Copy)]
pub struct EventToWrite<'a> {
    /// The store.
    pub store: StoreId,
    /// Whether it is a test store.
    pub test: bool,
    /// The event.
    pub content: EventContent<'a>,
    /// What comes with the event.
    pub payload: Payload,
    /// What of it is left out.
    pub omitted: &'a [Omitted],
}

/// The content of an event to write.
#[derive(Debug, Clone, Copy)]
pub enum EventContent<'a> {
    /// An event of an order.
    Order {
        /// The event.
        event: &'a Event,
        /// Its order.
        identity: &'a OrderIdentity,
        /// The order as it was right after the event; `None` for [`Payload::Thin`].
        order: Option<&'a Order>,
        /// The order as it was right before the event; `None` for [`Payload::Thin`], and if the event created
        /// the order.
        before: Option<&'a Order>,
    },
    /// The service has disabled an endpoint of the store.
    EndpointDisabled {
        /// The sequence of the event.
        sequence: u64,
        /// The event.
        event: &'a EndpointDisabled,
    },
}

impl<'a> EventContent<'a> {
    /// Returns the sequence of the event.
    pub fn sequence(&self) -> u64 {
        match *self {
            Self::Order { event, .. } => event.sequence,
            Self::EndpointDisabled { sequence, .. } => sequence,
        }
    }

    /// Returns what happened.
    pub fn kind(&self) -> EventType {
        match self {
            Self::Order { event, .. } => event.event.kind,
            Self::EndpointDisabled { .. } => EventType::WebhookDisabled,
        }
    }

    /// Returns when it happened.
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Order { event, .. } => event.event.at,
            Self::EndpointDisabled { event, .. } => event.at,
        }
    }

    /// Returns the order; `None` if the event concerns none.
    pub fn identity(&self) -> Option<&'a OrderIdentity> {
        match *self {
            Self::Order { identity, .. } => Some(identity),
            Self::EndpointDisabled { .. } => None,
        }
    }

    /// Returns whether the order is surely too large for an event, so that it need not be written to find
    /// that out. Its JSON has all its texts but one, which is much shorter than the difference.
    fn is_surely_too_large(&self) -> bool {
        match self {
            Self::Order { order, .. } => order
                .is_some_and(|order| order.content.content_bytes() > 2 * limits::EVENT_BODY as u64),
            Self::EndpointDisabled { .. } => false,
        }
    }
}

/// Writes events as receivers get them: in the feed and by webhooks alike.
pub trait EventBodies: Send + Sync {
    /// Returns the event as a JSON object, which MUST NOT depend on anything but what is passed, so
    /// that a repeated delivery has the same content.
    ///
    /// # Errors
    /// A value cannot be written, which is a defect.
    fn write(&self, event: &EventToWrite<'_>) -> Result<Vec<u8>, Source>;
}

/// An event as its receivers get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventBody {
    /// Its id, the same each time that it is sent.
    pub id: String,
    /// Its sequence.
    pub sequence: u64,
    /// What happened.
    pub kind: EventType,
    /// When.
    pub at: Timestamp,
    /// Its order; `None` if it concerns none.
    pub order: Option<OrderIdentity>,
    /// The event as a JSON object, of [`limits::EVENT_BODY`] bytes at most.
    pub json: Vec<u8>,
}

/// Returns the id by which receivers know an event.
pub fn event_id(store: StoreId, sequence: u64) -> String {
    format!("evt_{store}_{sequence}")
}

pub(super) fn write_bounded(
    bodies: &dyn EventBodies,
    event: EventToWrite<'_>,
) -> Result<EventBody, Source> {
    let mut json = Vec::new();
    for omitted in event.payload.omissions() {
        let has_order = event.payload == Payload::Full && omitted.is_empty();
        if has_order && event.content.is_surely_too_large() {
            continue;
        }
        json = bodies.write(&EventToWrite { omitted, ..event })?;
        if json.len() <= limits::EVENT_BODY {
            break;
        }
    }
    let sequence = event.content.sequence();
    Ok(EventBody {
        id: event_id(event.store, sequence),
        sequence,
        kind: event.content.kind(),
        at: event.content.at(),
        order: event.content.identity().cloned(),
        json,
    })
}
