//! The port that keeps orders.

use std::collections::BTreeSet;

use async_trait::async_trait;

use super::search::{SearchQuery, SearchResult};
use crate::catalog::CatalogVersion;
#[cfg(doc)]
use crate::error::RepositoryError;
use crate::error::Result;
use crate::event::Event;
use crate::fulfilment::{Change, Shipment};
use crate::id::{OrderId, ServiceOrderId, ShipmentId, StoreId};
use crate::order::{NewOrder, Order};
use crate::store::Store;
use crate::time::Timestamp;

/// An order to store, and what must hold for that.
#[derive(Debug, Clone)]
pub enum OrderWrite {
    /// An order that must not exist yet.
    Create {
        /// The order without a number.
        order: Box<NewOrder>,
        /// The version of the catalog that the order was priced with, and that the catalog must
        /// still have; `None` if this write does not depend on prices.
        priced_with: Option<CatalogVersion>,
    },
    /// A change of an order that must still have the
    /// [expected version](Change::expected_version).
    Change {
        /// The order after the change, with its event.
        change: Box<Change>,
        /// As for [`OrderWrite::Create`].
        priced_with: Option<CatalogVersion>,
    },
}

impl OrderWrite {
    /// Stores an order that must not exist yet.
    pub fn create(order: NewOrder) -> Self {
        Self::Create {
            order: Box::new(order),
            priced_with: None,
        }
    }

    /// Changes an order.
    pub fn change(change: Change) -> Self {
        Self::Change {
            change: Box::new(change),
            priced_with: None,
        }
    }

    /// The same write, on the condition that the catalog has this version.
    #[must_use]
    pub fn priced_with(mut self, version: CatalogVersion) -> Self {
        let (Self::Create { priced_with, .. } | Self::Change { priced_with, .. }) = &mut self;
        *priced_with = Some(version);
        self
    }
}

/// An order that falls due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueOrder {
    /// Its store.
    pub store: StoreId,
    /// The order.
    pub order: OrderId,
}

/// Which orders of a store fall due sooner, and by how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FastForward {
    /// The lowest id of an order.
    pub from: OrderId,
    /// The id below which an order must be.
    pub before: OrderId,
    /// How many orders at most.
    pub count: u32,
    /// By how many milliseconds, more than 0.
    pub millis: i64,
    /// Now: orders that are due by this time are taken.
    pub now: Timestamp,
    /// To when the due times of these are moved.
    pub until: Timestamp,
}

/// Orders that fall due sooner.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FastForwardResult {
    /// Those that are due now, and were taken, in the order of their ids.
    pub due: Vec<OrderId>,
    /// The last one of all; `None` if there is none.
    pub last: Option<OrderId>,
}

/// What shipments are looked up by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShipmentLookup {
    /// The shipment's id.
    Id(ShipmentId),
    /// The carrier's number of the parcel, compared letter by letter.
    TrackingNumber(String),
    /// That their order has a lower id than this one: all of them, page by page.
    OfOrdersBefore(OrderId),
}

impl ShipmentLookup {
    /// Returns whether this shipment of an order is looked up.
    pub fn finds(&self, order: OrderId, shipment: &Shipment) -> bool {
        match self {
            Self::Id(id) => shipment.id == *id,
            Self::TrackingNumber(number) => shipment.tracking_number.as_ref() == Some(number),
            Self::OfOrdersBefore(before) => order < *before,
        }
    }
}

/// A shipment that was looked up, with the order that it belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct ShipmentMatch {
    /// The order's store.
    pub store: StoreId,
    /// The order.
    pub order: OrderId,
    /// The order number as people read it.
    pub service_order_id: ServiceOrderId,
    /// The shipment.
    pub shipment: Shipment,
}

/// How an order is named by its store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lookup {
    /// The caller's order id.
    pub order_id: String,
    /// The number, where the text is also a service order id of the store.
    pub number: Option<i64>,
}

impl Lookup {
    /// Returns what a store means by a name: its own id of the order, else the service order id.
    pub fn named(name: &str, store: &Store) -> Self {
        Self {
            order_id: name.to_owned(),
            number: ServiceOrderId::number_in(name, &store.prefix),
        }
    }

    /// Names an order by its number alone.
    pub fn numbered(number: i64) -> Self {
        Self {
            // No order has an empty order id.
            order_id: String::new(),
            number: Some(number),
        }
    }
}

/// Keeps orders. One call is one transaction.
///
/// Everything is scoped to a store: an order of another store MUST NOT be found or changed
/// (`other_stores_never_see_an_order`).
#[async_trait]
pub trait OrderRepository: Send + Sync {
    /// Stores an order or a change of it with the event, all or nothing. Returns the order as stored:
    /// its [`last_sequence`](crate::fulfilment::OrderState::last_sequence) is that of the event.
    ///
    /// - A created order MUST be found as it was given (`a_created_order_is_found_as_given`,
    ///   `the_largest_order_is_kept_whole`). An order of a store that does not exist MUST be refused
    ///   (`an_order_of_no_store_is_refused`).
    /// - Its number MUST come from the store's own counter, grow and never be given twice
    ///   (`numbers_grow_and_are_never_used_twice`), also when several calls run at once
    ///   (`concurrent_creates_get_numbers_of_their_own`).
    /// - A second order with the same order id in a store MUST be refused with
    ///   [`RepositoryError::Duplicate`] and change nothing
    ///   (`a_second_order_of_the_same_id_is_a_duplicate`), also when several calls run at once
    ///   (`of_concurrent_creates_one_wins`). Two stores may use the same order id
    ///   (`two_stores_may_use_one_order_id`). Order ids MUST be compared letter by letter
    ///   (`order_ids_are_compared_letter_by_letter`).
    /// - An update MUST replace the order with all its items
    ///   (`an_update_replaces_the_whole_order`), also where nothing but the origin of a name
    ///   changes (`whether_a_name_was_given_is_kept`), and MUST be refused with
    ///   [`RepositoryError::Stale`] where the version is not the expected one or the order does not
    ///   exist, and change nothing then (`a_stale_update_changes_nothing`); of concurrent updates
    ///   of one version exactly one MUST win (`of_concurrent_updates_one_wins`), and a reader MUST
    ///   see either all of an update or nothing of it (`no_reader_sees_half_an_update`).
    /// - A move MUST leave the content as it is (`a_move_leaves_the_content_alone`); shipments, fee lines of
    ///   operators and all that moves MUST be kept (`all_that_moves_is_kept`).
    /// - The sequences of a store's events MUST be 1, 2, 3 … in the order of the commits
    ///   (`sequences_have_no_hole`), also when several calls run at once
    ///   (`sequences_of_calls_at_once_have_no_hole`).
    /// - An order whose words do not [fit](pressline_kit::words::fit) MUST be refused with
    ///   [`RepositoryError::TooLarge`] and change nothing
    ///   (`an_order_whose_words_do_not_fit_is_refused`). Every word of an order that is stored MUST
    ///   find it (`every_word_of_the_widest_order_finds_it`,
    ///   `texts_that_grow_when_they_are_folded_find_their_order`).
    /// - A write that was priced with another state of the catalog than there is MUST be refused
    ///   with [`RepositoryError::CatalogChanged`] and change nothing
    ///   (`prices_of_another_catalog_are_refused`), each write by its own state
    ///   (`of_writes_at_once_each_is_held_to_its_catalog`). So products can be remembered, and an import
    ///   counts for the next order all the same.
    async fn write(&self, write: OrderWrite) -> Result<Order>;

    /// Checks at once that a write of this store has room to wait for its turn. So a call can be
    /// refused before anything else is done for it. A write checks again, because the room may be
    /// taken meanwhile. A repository without a queue always has room.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] where [`write`](Self::write) would be refused with it now.
    fn check_room(&self, _store: StoreId) -> Result<()> {
        Ok(())
    }

    /// The order of this store with this order id, else the one with this number.
    ///
    /// The caller's order id MUST come first (`the_callers_id_comes_before_the_number`). Absence is
    /// `Ok(None)` (`an_unknown_order_is_none`).
    async fn find(&self, store: StoreId, lookup: &Lookup) -> Result<Option<Order>>;

    /// A stretch of the store's orders that match, newest first: by id, falling.
    ///
    /// - The answer MUST be exact and in order at every offset and after every order
    ///   (`search_pages_are_exact_and_in_order`, `a_walk_by_id_meets_every_order_once`,
    ///   `a_walk_through_many_matches_meets_each_once`). An order whose id is lower than that of an
    ///   order stored before it has the place of its id (`orders_that_come_late_are_found_in_their_place`).
    ///   The age of an order makes no difference (`the_oldest_of_many_orders_are_found`).
    ///   A store without orders has no page (`an_empty_store_has_no_pages`).
    /// - Both ends of the time range MUST be included (`both_ends_of_the_time_range_count`).
    /// - A key MUST match as [`SearchKey::matches`](pressline_kit::words::SearchKey::matches) says
    ///   of the order's words, no character having a special meaning
    ///   (`a_search_key_matches_beginnings_of_words`, `no_character_of_a_key_is_special`,
    ///   `a_key_of_many_words_finds_the_orders_that_have_all`).
    /// - An order MUST be found by the statuses that its items have now, and by its type
    ///   (`orders_are_found_by_status_and_type`), together with a key and a time range too
    ///   (`a_status_with_a_key_is_exact`), at every offset and after every order
    ///   (`a_walk_by_status_meets_every_order_once`).
    /// - An update MUST be searchable by its new words and no longer by its old ones
    ///   (`search_follows_updates`).
    /// - Of the page's orders MUST be returned whole: the first, and those that follow it up to
    ///   [`SearchQuery::bytes`] in all, as [`Batch`](crate::order::search::Batch) decides; of the
    ///   rest only references, whose sizes are those of the orders as they are now
    ///   (`a_page_is_whole_up_to_its_bytes`). The rest MUST NOT be read into memory: it can be a
    ///   hundred times as large.
    async fn search(&self, store: StoreId, query: &SearchQuery) -> Result<SearchResult>;

    /// The orders of this store with these ids, whole, in the order of the ids.
    ///
    /// As in a search, the first MUST be returned, and those that follow it up to `bytes` in all,
    /// by their sizes as they are now; the others MUST NOT be read into memory
    /// (`orders_are_loaded_up_to_the_bytes_asked_for`), so that a page of the largest orders is
    /// read in batches (`a_page_of_the_largest_orders_is_read_batch_by_batch`). Ids that the store has no order of are
    /// passed over (`unknown_orders_are_not_loaded`).
    async fn load(&self, store: StoreId, ids: &[OrderId], bytes: u64) -> Result<Vec<Order>>;

    /// Events of an order, newest first: the one with the sequence `latest` and those before it, at most
    /// `count`. Empty where no event of this order has the sequence.
    ///
    /// Each event names the one before it, which MUST be followed
    /// (`events_follow_the_chain_of_their_order`); what undoes an event MUST be kept
    /// (`each_version_is_rebuilt_from_its_events`).
    async fn events(
        &self,
        store: StoreId,
        order: OrderId,
        latest: u64,
        count: u32,
    ) -> Result<Vec<Event>>;

    /// Takes orders of any stores whose due time is `now` or earlier, about so many at most, and moves
    /// their due times to `until`: so no server takes them before that
    /// (`an_order_is_taken_when_it_is_due`), also when several calls run at once
    /// (`of_servers_at_once_one_takes_an_order`). No store MUST keep the others
    /// waiting (`no_store_keeps_the_due_orders_of_others_waiting`).
    async fn take_due(&self, now: Timestamp, until: Timestamp, count: u32)
    -> Result<Vec<DueOrder>>;

    /// Brings the ends of all windows and holds of some orders of a store nearer: of the first ones, by id, of which
    /// something falls due. Those that are due then are taken as by [`take_due`](Self::take_due). Nothing else of an
    /// order changes, and there is no event: time has passed. The order's next event records the nearer ends, so that
    /// earlier versions MUST keep theirs (`earlier_versions_keep_their_ends`).
    ///
    /// - The orders MUST be moved nearer all at once or not at all, each once (`orders_fall_due_sooner`), and so that a call
    ///   for those behind the last one meets each order once, also when several calls run at once
    ///   (`calls_at_once_bring_orders_nearer_by_their_sum`).
    async fn fast_forward(
        &self,
        store: StoreId,
        fast_forward: &FastForward,
    ) -> Result<FastForwardResult>;

    /// Shipments of these stores (`None`: of all stores) that are looked up, void ones too:
    /// those of the newest orders first, and of one order the latest first; at most so many.
    ///
    /// What is returned MUST be what is stored now, of the given stores only
    /// (`shipments_are_found_in_the_given_stores`, `a_shipment_is_found_by_its_present_number`), and no
    /// other than the first of all (`the_shipments_of_the_newest_orders_come_first`,
    /// `shipments_are_walked_from_order_to_order`).
    async fn find_shipments(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        lookup: &ShipmentLookup,
        count: u32,
    ) -> Result<Vec<ShipmentMatch>>;

    /// Ready to serve: reachable, its tables are those that this program expects, and writes work
    /// (`ping_answers`).
    ///
    /// May write a little. Callers remember the answer for a second.
    async fn ping(&self) -> Result<()>;
}
