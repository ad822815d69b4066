//! The port that reads the events of stores.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;

use super::{Event, EventType, FeedEvent};
use crate::error::RepositoryError;
use crate::id::{OrderId, StoreId};
use crate::order::{Order, OrderIdentity};

type Result<T> = std::result::Result<T, RepositoryError>;

/// Which events of a store are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedFilter {
    /// Types, of which an event has one; empty for any.
    pub types: BTreeSet<EventType>,
    /// The order that they are about; `None` for any, and for events that concern none.
    pub order: Option<OrderId>,
}

impl FeedFilter {
    /// Returns whether an event is wanted.
    pub fn matches(&self, event: &FeedEvent) -> bool {
        let is_of_type = self.types.is_empty() || self.types.contains(&event.kind());
        is_of_type && (self.order.is_none() || self.order == event.order())
    }
}

/// Which part of a store's events is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedQuery {
    /// Only events with a higher sequence are read.
    pub after: u64,
    /// Which of these are returned.
    pub filter: FeedFilter,
    /// Maximum number of events that are examined, at least 1.
    pub examined: u32,
    /// Maximum number of events that are returned, at least 1.
    pub limit: u32,
    /// Maximum size of the events that are returned and of their orders, in bytes. The first event
    /// is returned whatever its size.
    pub bytes: u64,
    /// Whether the orders are read whole.
    pub whole_orders: bool,
}

impl FeedQuery {
    /// Returns the last sequence that may be examined.
    pub fn until(&self) -> u64 {
        self.after.saturating_add(u64::from(self.examined))
    }
}

/// Events of a store with their orders, as one state of the database has them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FeedBatch {
    /// The events that match, ascending by sequence.
    pub events: Vec<FeedEvent>,
    /// The orders of these events, each once, as they are now; empty without
    /// [`FeedQuery::whole_orders`].
    pub orders: Vec<Order>,
    /// What never changes of these orders, each once; empty with [`FeedQuery::whole_orders`].
    pub identities: Vec<OrderIdentity>,
    /// Whether the maximum number or size of the events has ended the batch, so that more events
    /// may match up to [`FeedQuery::until`].
    pub is_full: bool,
    /// The sequence of the store's last event; 0 if it has none.
    pub last_sequence: u64,
}

impl FeedBatch {
    /// Returns the sequence up to which the events were examined: after it, the next batch begins.
    pub fn examined(&self, query: &FeedQuery) -> u64 {
        match self.events.last() {
            Some(last) if self.is_full => last.sequence(),
            _ => query.until().min(self.last_sequence).max(query.after),
        }
    }
}

/// A part of the events of an order, from the latest back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventChain {
    /// The order.
    pub order: OrderId,
    /// Sequence of the first event that is read.
    pub latest: u64,
    /// Sequence of the order's event before which reading ends: this one is not read any more.
    pub until: u64,
}

/// Reads the events of stores. [`OrderRepository::write`](crate::order::OrderRepository::write) adds
/// them. What disables an endpoint of a store adds the event that says so
/// (`a_disabled_endpoint_has_its_place_in_the_feed`), which concerns no order.
///
/// Everything is scoped to a store: events of another store MUST NOT be found
/// (`the_feed_of_a_store_has_its_own_events_only`).
#[async_trait]
pub trait EventFeed: Send + Sync {
    /// Returns the events of a store after a sequence that match, ascending, and their orders.
    ///
    /// - The events MUST be all that match up to [`FeedBatch::examined`], each as it was written
    ///   (`the_feed_has_every_event_once`), of any types and of one order
    ///   (`the_feed_is_filtered_by_type_and_order`). No more than [`FeedQuery::examined`] MUST be
    ///   examined (`a_filtered_call_examines_a_bounded_number_of_events`).
    /// - An event that can be read MUST be preceded by all events before it, also while calls write
    ///   (`a_reader_never_finds_an_event_behind_it`).
    /// - Events, orders and [`FeedBatch::last_sequence`] MUST be those of one state of the database:
    ///   an order is never older than its event, and no sequence is above the last one
    ///   (`a_batch_is_of_one_state`).
    /// - The batch MUST be no larger than asked for, but have the first event
    ///   (`a_batch_of_events_is_bounded`). What is beyond MUST NOT be read into memory.
    /// - Without [`FeedQuery::whole_orders`], the batch MUST have the same events, with the identities of their
    ///   orders (`the_feed_can_be_read_without_orders`).
    /// - Undoing later events MUST lead to each order as it was right after each event
    ///   (`the_feed_replayed_gives_every_version_of_every_order`).
    /// - A store without events, and one that does not exist, MUST have an empty batch
    ///   (`an_empty_store_has_no_events`).
    async fn read(&self, store: StoreId, query: &FeedQuery) -> Result<FeedBatch>;

    /// Returns events of several orders: chain by chain, those of each newest first. They never
    /// change, so that they belong to any state of the database that has their orders.
    ///
    /// - Of each chain, at most `count` events are returned; the first chain has at least one event. The
    ///   chains MUST be read in their order (`chains_of_events_are_read_in_their_order`), up to
    ///   `bytes` in all (`chains_of_events_are_bounded`): those at the end can be missing.
    async fn chains(
        &self,
        store: StoreId,
        chains: &[EventChain],
        count: u32,
        bytes: u64,
    ) -> Result<Vec<Event>>;

    /// Returns the sequences of the last events of stores (`last_sequences_are_those_of_the_feed`).
    /// Stores without events are left out.
    async fn last_sequences(&self, stores: &BTreeSet<StoreId>) -> Result<BTreeMap<StoreId, u64>>;
}

/// Learns at once of the events that this process stores, such as to wake those who wait for one. Events of
/// other processes are found by [`EventFeed::last_sequences`].
pub trait EventObserver: Send + Sync {
    /// An event of this store has been committed. Events that are stored at the same time can come in
    /// another order than their sequences. It must not block.
    fn stored(&self, store: StoreId, sequence: u64);
}
