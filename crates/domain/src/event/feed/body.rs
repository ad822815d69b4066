//! The JSON form of an event for its receivers, and the parts that are omitted if it is too large.

use crate::check::limits;
use crate::error::Source;
use crate::event::{EndpointDisabled, Event, EventType};
use crate::order::{Order, OrderIdentity};
use crate::value::{StoreId, Timestamp};

/// Content of an event's JSON object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload {
    /// All changes, and the order as it was right after the event.
    Full,
    /// All changes, without the order.
    Changes,
    /// Ids and the paths of the changed fields, without values and so without personal data.
    Thin,
}

pressline_kit::named! {
    /// Part of an event's JSON object that is left out if the object would be too large.
    pub enum Omitted {
        /// The order before and after the event.
        Order = "order",
        /// The changed fields with their values.
        Changes = "changes",
    }
}

impl Payload {
    /// [`Payload::Thin`] needs only the identity of the order.
    pub(super) fn needs_orders(self) -> bool {
        self != Self::Thin
    }

    /// Lists of parts to omit. The first list that makes the object small enough is used.
    fn omissions(self) -> &'static [&'static [Omitted]] {
        match self {
            Self::Full => &[&[], &[Omitted::Order], &[Omitted::Order, Omitted::Changes]],
            Self::Changes | Self::Thin => &[&[], &[Omitted::Changes]],
        }
    }
}

/// All input of [`EventBodies::write`].
#[derive(Debug, Clone, Copy)]
pub struct EventToWrite<'a> {
    /// Store that the event belongs to.
    pub store: StoreId,
    /// Whether `store` is a test store.
    pub test: bool,
    /// The event to write, with the order that it concerns.
    pub content: EventContent<'a>,
    /// Content that the receiver wants in the JSON object.
    pub payload: Payload,
    /// Parts of `payload` to omit because the event would be too large.
    pub omitted: &'a [Omitted],
}

/// An event, with its order if the event concerns an order.
#[derive(Debug, Clone, Copy)]
pub enum EventContent<'a> {
    /// An event of an order.
    Order {
        /// The stored event.
        event: &'a Event,
        /// Ids and currency of the order.
        identity: &'a OrderIdentity,
        /// The order right after the event; `None` for [`Payload::Thin`].
        order: Option<&'a Order>,
        /// The order right before the event; `None` for [`Payload::Thin`] and its first event.
        before: Option<&'a Order>,
    },
    /// The service disabled a webhook endpoint of the store.
    EndpointDisabled {
        /// Sequence number of the event among the store's events.
        sequence: u64,
        /// The disabled endpoint with the reason.
        event: &'a EndpointDisabled,
    },
}

impl<'a> EventContent<'a> {
    /// Returns the sequence number of the event among the store's events.
    pub fn sequence(&self) -> u64 {
        match *self {
            Self::Order { event, .. } => event.sequence,
            Self::EndpointDisabled { sequence, .. } => sequence,
        }
    }

    /// Returns the type of the event.
    pub fn kind(&self) -> EventType {
        match self {
            Self::Order { event, .. } => event.event.kind,
            Self::EndpointDisabled { .. } => EventType::WebhookDisabled,
        }
    }

    /// Returns the time of the event.
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Order { event, .. } => event.event.at,
            Self::EndpointDisabled { event, .. } => event.at,
        }
    }

    /// Returns the identity of the order; `None` if the event does not concern an order.
    pub fn identity(&self) -> Option<&'a OrderIdentity> {
        match *self {
            Self::Order { identity, .. } => Some(identity),
            Self::EndpointDisabled { .. } => None,
        }
    }

    /// Saves writing the JSON object: it contains the whole content except a single string, which
    /// is much shorter than [`limits::EVENT_BODY`].
    fn is_surely_too_large(&self) -> bool {
        match self {
            Self::Order { order, .. } => order
                .is_some_and(|order| order.content.content_bytes() > 2 * limits::EVENT_BODY as u64),
            Self::EndpointDisabled { .. } => false,
        }
    }
}

/// Writes the JSON form of events, for the feed and for webhooks. The crate `pressline-api`
/// implements this port.
pub trait EventBodies: Send + Sync {
    /// Returns the event as a JSON object. The result MUST depend only on `event`, so that a
    /// repeated delivery has the same content.
    ///
    /// # Errors
    /// Returns an error if a value cannot be serialised, which is a defect.
    fn write(&self, event: &EventToWrite<'_>) -> Result<Vec<u8>, Source>;
}

/// An event in the form that its receivers get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventBody {
    /// Id of the event, the same in every delivery; see [`event_id`].
    pub id: String,
    /// Sequence number of the event among the store's events.
    pub sequence: u64,
    /// Type of the event, such as `order.created`.
    pub kind: EventType,
    /// Time when the event happened.
    pub at: Timestamp,
    /// Identity of the order; `None` if the event does not concern an order.
    pub order: Option<OrderIdentity>,
    /// The event as a JSON object of at most [`limits::EVENT_BODY`] bytes.
    pub json: Vec<u8>,
}

/// Returns the public id of the event of `store` with this `sequence`.
pub fn event_id(store: StoreId, sequence: u64) -> String {
    format!("evt_{store}_{sequence}")
}

pub(super) fn write_bounded(
    bodies: &dyn EventBodies,
    event: EventToWrite<'_>,
) -> Result<EventBody, Source> {
    let mut json = Vec::new();
    for omitted in event.payload.omissions() {
        // Only the first attempt of `Full` contains the order.
        let has_order = event.payload == Payload::Full && omitted.is_empty();
        // Saves writing megabytes of JSON only to discard them.
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
