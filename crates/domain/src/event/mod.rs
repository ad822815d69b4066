//! Events: the changes of orders, in a form that can be undone.
//!
//! Each change of an order is one event. No copies of earlier versions are stored: an earlier
//! version is the current order with the later events undone ([`undo`]).

mod actor;
mod change;
mod diff;
mod feed;
mod feed_event;
mod fields;
mod kind;
mod port;
mod undo;

use crate::check::checked::{Checked, Rules, rules_broken};
use crate::fulfilment::{ItemStatus, Shipment};
use crate::value::{ItemId, OrderId, Timestamp};

pub use actor::{Actor, Role};
pub use change::{FieldChange, PendingChange, PlacedItem, Value};
pub(crate) use diff::{Difference, difference};
pub use feed::{
    EventBodies, EventBody, EventContent, EventService, EventToWrite, FeedDraft, FeedError,
    FeedPage, FeedRequest, Omitted, Payload, event_id,
};
pub use feed_event::{EndpointDisabled, FeedEvent};
pub(crate) use fields::content_changes;
pub use kind::EventType;
pub use port::{EventChain, EventFeed, EventObserver, FeedBatch, FeedFilter, FeedQuery};
pub use undo::{UndoError, at_version, right_after, undo};

/// An event that is not stored yet. Its sequence is assigned when it is stored.
pub type NewEvent = Checked<EventParts>;

/// Public fields of a [`NewEvent`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct EventParts {
    /// Kind of the change to the order.
    pub kind: EventType,
    /// Id of the changed order.
    pub order: OrderId,
    /// Version of the order after the change.
    pub version: u32,
    /// Time of the change.
    pub at: Timestamp,
    /// Previous event of the order; `None` for the first event.
    pub previous: Option<PreviousEvent>,
    /// The party that made the change.
    pub actor: Actor,
    /// Reason for the change, in words; `None` if the caller gave none.
    pub reason: Option<String>,
    /// Id of the HTTP request that caused the change; `None` if no request did.
    pub request_id: Option<String>,
    /// Items with a new status, and added or removed items.
    pub items: Vec<ItemMove>,
    /// Changed fields. Changes of item statuses are in `items` instead.
    pub changes: Vec<FieldChange>,
    /// Shipment right after the event, if the event is about a shipment; `None` for other events.
    pub shipment: Option<Shipment>,
}

/// Sequence and time of an order's previous event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PreviousEvent {
    /// Sequence of the previous event among the store's events.
    pub sequence: u64,
    /// Time of the previous event.
    pub at: Timestamp,
}

/// Status of an item before and after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ItemMove {
    /// The service's id of the item.
    pub id: ItemId,
    /// Status before the event; `None` if the event adds the item.
    pub old: Option<ItemStatus>,
    /// Status after the event; `None` if the event removes the item.
    pub new: Option<ItemStatus>,
}

/// Rule that an [`EventParts`] value breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// The event of version 1 is not [`EventType::OrderCreated`], or a later event is.
    #[error("the first event of an order, and no other event, must be its creation")]
    First,
    /// A later event has no `previous`, or the first event has one.
    #[error("every event of an order except the first must have a previous event")]
    Previous,
    /// An event about a shipment has no `shipment`, or another event has one.
    #[error("events about a shipment, and no other events, must have a shipment")]
    Shipment,
    /// Events of this type do not concern orders.
    #[error("the type of an order's event must concern orders")]
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
    /// Sequence among the store's events, from 1. Sequences are skipped only after a restore.
    pub sequence: u64,
    /// Content of the event, without its sequence.
    pub event: NewEvent,
}
