//! Where the worker gets the events from.

use std::collections::BTreeSet;

use async_trait::async_trait;
use bytes::Bytes;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::{EventType, Payload};
use pressline_domain::id::StoreId;
use pressline_domain::webhook::{LaneEvent, SentEvent};

/// An event of a lane with what is sent of it.
#[derive(Debug, Clone)]
pub struct SourceEvent {
    /// What decides about it.
    pub event: LaneEvent,
    /// What the log keeps of it.
    pub sent: SentEvent,
    /// The event as a JSON object.
    pub json: Bytes,
}

/// Events of a store after a sequence.
#[derive(Debug, Clone, Default)]
pub struct EventPage {
    /// The events, ascending by sequence.
    pub events: Vec<SourceEvent>,
    /// Sequence up to which events were examined.
    pub read_to: u64,
    /// Sequence of the store's last event.
    pub last_sequence: u64,
}

/// Reads events of stores.
#[async_trait]
pub trait EventSource: Send + Sync {
    /// Returns the events after a sequence that are of these types (none for any), at most `limit`.
    async fn read(
        &self,
        store: StoreId,
        after: u64,
        types: &BTreeSet<EventType>,
        payload: Payload,
        limit: u32,
    ) -> Result<EventPage, RepositoryError>;

    /// Returns an event; `None` if there is none of this sequence.
    async fn find(
        &self,
        store: StoreId,
        sequence: u64,
        payload: Payload,
    ) -> Result<Option<SourceEvent>, RepositoryError>;
}
