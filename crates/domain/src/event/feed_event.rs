//! The events of a store: those of its orders, and those that concern none.

use super::{Event, EventType};
use crate::id::{EndpointId, OrderId};
use crate::time::Timestamp;

/// A stored event of a store.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all events are those of orders"
)]
pub enum FeedEvent {
    /// An event of an order.
    Order(Event),
    /// The service has disabled an endpoint of the store.
    EndpointDisabled {
        /// Its place in the store's events.
        sequence: u64,
        /// The event.
        event: EndpointDisabled,
    },
}

/// The event `webhook.disabled`, which has no sequence yet: the service, not a caller, has disabled an
/// endpoint of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointDisabled {
    /// The endpoint.
    pub endpoint: EndpointId,
    /// When.
    pub at: Timestamp,
    /// Why, in a word.
    pub reason: String,
}

impl FeedEvent {
    /// Returns its place in the store's events, from 1 without a hole.
    pub fn sequence(&self) -> u64 {
        match self {
            Self::Order(event) => event.sequence,
            Self::EndpointDisabled { sequence, .. } => *sequence,
        }
    }

    /// Returns what happened.
    pub fn kind(&self) -> EventType {
        match self {
            Self::Order(event) => event.event.kind,
            Self::EndpointDisabled { .. } => EventType::WebhookDisabled,
        }
    }

    /// Returns the event as one of an order; `None` if it concerns none.
    pub fn of_order(&self) -> Option<&Event> {
        match self {
            Self::Order(event) => Some(event),
            Self::EndpointDisabled { .. } => None,
        }
    }

    /// Returns when it happened.
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Order(event) => event.event.at,
            Self::EndpointDisabled { event, .. } => event.at,
        }
    }

    /// Returns the order; `None` if the event concerns none.
    pub fn order(&self) -> Option<OrderId> {
        self.of_order().map(|event| event.event.order)
    }
}
