//! Events: what changed an order, and how to undo it.
//!
//! Each change of an order is one event. There is no stored copy of an earlier version: an order at
//! a past version is today's order with later events undone ([`undo`]).

mod actor;
mod change;
mod diff;
mod feed;
mod feed_event;
mod fields;
mod kind;
mod port;
mod undo;

use crate::checked::{Checked, Rules, rules_broken};
use crate::fulfilment::{ItemStatus, Shipment};
use crate::id::{ItemId, OrderId};
use crate::time::Timestamp;

pub use actor::{Actor, Role};
pub use change::{FieldChange, PendingChange, PlacedItem, Value};
pub(crate) use diff::{Difference, difference};
pub use feed::{
    EventBodies, EventBody, EventContent, EventService, EventToWrite, FeedDraft, FeedPage,
    FeedRequest, Omitted, Payload, event_id,
};
pub use feed_event::{EndpointDisabled, FeedEvent};
pub(crate) use fields::content_changes;
pub use kind::EventType;
pub use port::{EventChain, EventFeed, EventObserver, FeedBatch, FeedFilter, FeedQuery};
pub use undo::{UndoError, at_version, undo};

/// An event that has no sequence yet: it gets one when it is stored.
pub type NewEvent = Checked<EventParts>;

/// Everything that a [`NewEvent`] is made of.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct EventParts {
    /// What happened.
    pub kind: EventType,
    /// The order.
    pub order: OrderId,
    /// Its version after the change.
    pub version: u32,
    /// When.
    pub at: Timestamp,
    /// The order's previous event; `None` for the first.
    pub previous: Option<PreviousEvent>,
    /// Who.
    pub actor: Actor,
    /// Why, if the caller said so.
    pub reason: Option<String>,
    /// The request that changed the order.
    pub request_id: Option<String>,
    /// The items whose status changed, and those that are new or removed.
    pub items: Vec<ItemMove>,
    /// What else changed.
    pub changes: Vec<FieldChange>,
    /// The shipment that the event is about, as it was after it.
    pub shipment: Option<Shipment>,
}

/// The event before another one of the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PreviousEvent {
    /// Its sequence in the store.
    pub sequence: u64,
    /// When it happened.
    pub at: Timestamp,
}

/// The status of an item before and after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ItemMove {
    /// The item.
    pub id: ItemId,
    /// Before; `None` for a new item.
    pub old: Option<ItemStatus>,
    /// After; `None` for an item that was removed.
    pub new: Option<ItemStatus>,
}

/// A rule that parts of an event break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// The first event is not the creation, or another one is.
    #[error("the first event of an order, and no other, is its creation")]
    First,
    /// A later event has no previous one, or the first has one.
    #[error("every event of an order but the first has a previous one")]
    Previous,
    /// An event about a shipment has none, or another one has one.
    #[error("an event about a shipment, and no other, has a shipment")]
    Shipment,
    /// The type is that of an event which concerns no order.
    #[error("an event of an order is of a type that concerns orders")]
    Kind,
}

impl Rules for EventParts {
    type Broken = EventError;

    fn broken(&self) -> Vec<EventError> {
        let is_first = self.version == 1;
        rules_broken([
            (
                (self.kind == EventType::OrderCreated) != is_first,
                EventError::First,
            ),
            (self.previous.is_none() != is_first, EventError::Previous),
            (
                self.kind.is_about_shipment() != self.shipment.is_some(),
                EventError::Shipment,
            ),
            (!self.kind.is_about_order(), EventError::Kind),
        ])
    }
}

/// A stored event of an order.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its place in the store's events, from 1 without a hole.
    pub sequence: u64,
    /// The event.
    pub event: NewEvent,
}
