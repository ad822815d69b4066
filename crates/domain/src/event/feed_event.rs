//! Events of a store: events of its orders, and events that concern no order.

use super::{Event, EventType};
use crate::value::{EndpointId, OrderId, Timestamp};

/// An event of a store with its sequence, about an order or a webhook endpoint.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all events belong to orders"
)]
pub enum FeedEvent {
    /// An event of an order.
    Order(Event),
    /// The service disabled a webhook endpoint of the store.
    EndpointDisabled {
        /// Sequence number of the event among the store's events.
        sequence: u64,
        /// The disabled endpoint with the reason.
        event: EndpointDisabled,
    },
}

/// Content of the event `webhook.disabled`, before it has a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointDisabled {
    /// Id of the disabled webhook endpoint.
    pub endpoint: EndpointId,
    /// Time when the service disabled the endpoint.
    pub at: Timestamp,
    /// Reason for disabling the endpoint, as a word for programs, such as `failing`.
    pub reason: String,
}

impl FeedEvent {
    /// Returns the sequence among the store's events, from 1. Some are skipped after a restore.
    pub fn sequence(&self) -> u64 {
        match self {
            Self::Order(event) => event.sequence,
            Self::EndpointDisabled { sequence, .. } => *sequence,
        }
    }

    /// Returns the type of the event.
    pub fn kind(&self) -> EventType {
        match self {
            Self::Order(event) => event.event.kind,
            Self::EndpointDisabled { .. } => EventType::WebhookDisabled,
        }
    }

    /// Returns the event if it concerns an order; `None` if it concerns a webhook endpoint.
    pub fn of_order(&self) -> Option<&Event> {
        match self {
            Self::Order(event) => Some(event),
            Self::EndpointDisabled { .. } => None,
        }
    }

    /// Returns the time of the event.
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Order(event) => event.event.at,
            Self::EndpointDisabled { event, .. } => event.at,
        }
    }

    /// Returns the id of the order that the event concerns; `None` if it concerns no order.
    pub fn order(&self) -> Option<OrderId> {
        self.of_order().map(|event| event.event.order)
    }
}
