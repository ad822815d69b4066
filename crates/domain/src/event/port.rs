//! The port that reads events.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;

use super::{Event, EventType, FeedEvent};
use crate::error::Result;
use crate::order::{Order, OrderIdentity};
use crate::value::{OrderId, StoreId};

/// Filter for events of a store, by type and by order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedFilter {
    /// Types of the events to select; empty for all types.
    pub types: BTreeSet<EventType>,
    /// Order of the events; `None` also selects events that concern no order.
    pub order: Option<OrderId>,
}

impl FeedFilter {
    /// Returns the names of the selected types; `None` if all types are selected.
    pub fn type_names(&self) -> Option<Vec<&'static str>> {
        let names = || self.types.iter().map(|kind| kind.as_str()).collect();
        (!self.types.is_empty()).then(names)
    }

    /// Returns `true` if the type of `event` and the order that it concerns are selected.
    pub fn matches(&self, event: &FeedEvent) -> bool {
        let is_of_type = self.types.is_empty() || self.types.contains(&event.kind());
        is_of_type && (self.order.is_none() || self.order == event.order())
    }
}

/// Query for a batch of a store's events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedQuery {
    /// Sequence number of the last event to skip; 0 starts at the first event.
    pub after: u64,
    /// Filter that selects the events to return among the examined events.
    pub filter: FeedFilter,
    /// Maximum number of events to examine, at least 1.
    pub examined: u32,
    /// Maximum number of events to return, at least 1.
    pub limit: u32,
    /// Maximum size of events and orders, in bytes. The first event is returned in any case.
    pub bytes: u64,
    /// Whether to return [`FeedBatch::orders`] instead of [`FeedBatch::identities`].
    pub whole_orders: bool,
}

impl FeedQuery {
    /// Returns the highest sequence that may be examined: `after` plus `examined`.
    pub fn until(&self) -> u64 {
        self.after.saturating_add(u64::from(self.examined))
    }
}

/// Events of a store with their orders, read from one state of the database.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FeedBatch {
    /// Events that match the query, ascending by sequence.
    pub events: Vec<FeedEvent>,
    /// Current orders of `events`, each once; empty without [`FeedQuery::whole_orders`].
    pub orders: Vec<Order>,
    /// Identities of the orders of `events`, each once; empty with [`FeedQuery::whole_orders`].
    pub identities: Vec<OrderIdentity>,
    /// `true` if a limit ended the batch: more events up to [`FeedQuery::until`] may match.
    pub is_full: bool,
    /// Last used or skipped sequence of the store; 0 if the store has no event. Sequences are
    /// skipped after a restore.
    pub last_sequence: u64,
}

impl FeedBatch {
    /// Returns the sequence of the last event that `query` examined; the next batch follows it.
    pub fn examined(&self, query: &FeedQuery) -> u64 {
        match self.events.last() {
            // A full batch ends early: further events before `until` were not examined.
            Some(last) if self.is_full => last.sequence(),
            // `after` can be beyond the last event, and reading must not go back.
            _ => query.until().min(self.last_sequence).max(query.after),
        }
    }
}

/// A range of an order's events, read from the newest to the oldest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventChain {
    /// The service's id of the order that the events concern.
    pub order: OrderId,
    /// Sequence of the newest event of the range, which is read first.
    pub latest: u64,
    /// Sequence of the order's event at which reading stops. This event is not read itself.
    pub until: u64,
}

/// Reads the events of stores. [`OrderRepository::write`](crate::order::OrderRepository::write)
/// adds the events of orders. Disabling a failing webhook endpoint adds an event about no order
/// (`a_disabled_endpoint_has_its_place_in_the_feed`).
///
/// Everything is scoped to a store: events of another store MUST NOT be found
/// (`the_feed_of_a_store_has_its_own_events_only`).
#[async_trait]
pub trait EventFeed: Send + Sync {
    /// Returns the events of `store` that match `query`, ascending by sequence, and their orders.
    ///
    /// - All matching events up to [`FeedBatch::examined`] MUST be returned, each as it was written
    ///   (`the_feed_has_every_event_once`). The filter can select any types, and one order
    ///   (`the_feed_is_filtered_by_type_and_order`). No more than [`FeedQuery::examined`] events
    ///   MUST be examined (`a_filtered_call_examines_a_bounded_number_of_events`).
    /// - Once an event can be read, all events before it MUST be readable, also while calls write
    ///   (`a_reader_never_finds_an_event_behind_it`).
    /// - Events, orders and [`FeedBatch::last_sequence`] MUST be of one state of the database: no
    ///   order is older than its events, and no event has a higher sequence than `last_sequence`
    ///   (`a_batch_is_of_one_state`).
    /// - The batch MUST NOT exceed the limits of `query`, but MUST contain the first matching event
    ///   in any case (`a_batch_of_events_is_bounded`). Events that do not fit MUST NOT be read into
    ///   memory.
    /// - Without [`FeedQuery::whole_orders`], the batch MUST have the same events, with the
    ///   identities of their orders (`the_feed_can_be_read_without_orders`).
    /// - Undoing the later events of an order MUST restore the order as it was right after each
    ///   event (`the_feed_replayed_gives_every_version_of_every_order`).
    /// - A store without events, and a store that does not exist, MUST have an empty batch
    ///   (`an_empty_store_has_no_events`).
    async fn read(&self, store: StoreId, query: &FeedQuery) -> Result<FeedBatch>;

    /// Returns the events of `chains`, each a range of events of an order: chain by chain, newest
    /// first within a chain. The caller can undo the events in orders from an earlier call, because
    /// stored events never change.
    ///
    /// - Up to `count` events of each chain are returned, and at least one of the first chain. The
    ///   chains MUST be read in their order (`chains_of_events_are_read_in_their_order`), up to
    ///   `bytes` bytes in all (`chains_of_events_are_bounded`): the result can lack events at the
    ///   end of a chain, or whole chains at the end of `chains`.
    async fn chains(
        &self,
        store: StoreId,
        chains: &[EventChain],
        count: u32,
        bytes: u64,
    ) -> Result<Vec<Event>>;

    /// Returns the sequence of the first event of `store` after the sequence `after`; `None` if
    /// there is none. It is `after` plus 1, or the event behind a gap: sequences that were skipped
    /// after a restore MUST be passed over (`the_first_event_behind_a_gap_is_found`).
    async fn first_after(&self, store: StoreId, after: u64) -> Result<Option<u64>>;

    /// Returns the last used or skipped sequence of each store in `stores`
    /// (`last_sequences_are_those_of_the_feed`). Stores with the sequence 0 are left out.
    async fn last_sequences(&self, stores: &BTreeSet<StoreId>) -> Result<BTreeMap<StoreId, u64>>;
}

/// Receives a notification of each event that this process stores, to wake waiting readers
/// immediately. [`EventFeed::last_sequences`] finds the events of other processes.
pub trait EventObserver: Send + Sync {
    /// Receives the notification that the event of `store` with this `sequence` was committed. For
    /// concurrent events, a higher sequence can arrive first. The method must not block.
    fn stored(&self, store: StoreId, sequence: u64);
}
