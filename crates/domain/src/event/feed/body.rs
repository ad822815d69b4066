//! The form in which receivers get an event, and what it leaves out for size.

use crate::error::Source;
use crate::event::Event;
use crate::id::StoreId;
use crate::limits;
use crate::order::Order;

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

named! {
    /// A part of an event that is left out for size.
    pub enum Omitted {
        /// The order.
        Order = "order",
        /// What changed.
        Changes = "changes",
    }
}

impl Payload {
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
    /// The event.
    pub event: &'a Event,
    /// Its order: for [`Payload::Full`] as it was right after the event, otherwise as it was at any
    /// time.
    pub order: &'a Order,
    /// What comes with the event.
    pub payload: Payload,
    /// What of it is left out.
    pub omitted: &'a [Omitted],
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
    /// Its sequence.
    pub sequence: u64,
    /// The event as a JSON object, of [`limits::EVENT_BODY`] bytes at most.
    pub json: Vec<u8>,
}

/// Writes an event without the parts that would make it larger than [`limits::EVENT_BODY`].
pub(super) fn write_bounded(
    bodies: &dyn EventBodies,
    event: EventToWrite<'_>,
) -> Result<EventBody, Source> {
    let mut json = Vec::new();
    for omitted in event.payload.omissions() {
        let has_order = event.payload == Payload::Full && omitted.is_empty();
        if has_order && is_surely_too_large(event.order) {
            continue;
        }
        json = bodies.write(&EventToWrite { omitted, ..event })?;
        if json.len() <= limits::EVENT_BODY {
            break;
        }
    }
    Ok(EventBody {
        sequence: event.event.sequence,
        json,
    })
}

/// Returns true of an order that need not be written to know that it is too large. Its JSON has all its
/// texts but one, which is much shorter than the difference.
fn is_surely_too_large(order: &Order) -> bool {
    order.content.content_bytes() > 2 * limits::EVENT_BODY as u64
}
