//! The storage port of orders.

use std::collections::BTreeSet;

use async_trait::async_trait;

use super::search::{SearchQuery, SearchResult};
use crate::catalog::CatalogVersion;
#[cfg(doc)]
use crate::error::RepositoryError;
use crate::error::Result;
use crate::event::Event;
use crate::fulfilment::{CanonicalNumber, Change, Shipment};
use crate::order::{Lookup, NewOrder, Order, OrderMatch};
use crate::value::{OrderId, ServiceOrderId, ShipmentId, StoreId, Timestamp};

/// An order or a change to store, and the conditions for storing it.
#[derive(Debug, Clone)]
pub enum OrderWrite {
    /// A new order. The write is refused if the store already has an order with the same order id.
    Create {
        /// The order, which gets its number when it is stored.
        order: Box<NewOrder>,
        /// Catalog version that must still be current; `None` if prices do not matter.
        priced_with: Option<CatalogVersion>,
    },
    /// A change, refused unless the order has the [expected version](Change::expected_version).
    Change {
        /// The order after the change, with its event.
        change: Box<Change>,
        /// Catalog version that must still be current; `None` if prices do not matter.
        priced_with: Option<CatalogVersion>,
    },
}

impl OrderWrite {
    /// Creates the write of a new `order`, without a condition on the catalog version.
    pub fn create(order: NewOrder) -> Self {
        Self::Create {
            order: Box::new(order),
            priced_with: None,
        }
    }

    /// Creates the write of a `change`, without a condition on the catalog version.
    pub fn change(change: Change) -> Self {
        Self::Change {
            change: Box::new(change),
            priced_with: None,
        }
    }

    /// Returns this write on the condition that the catalog has this `version` at the write.
    #[must_use]
    pub fn priced_with(mut self, version: CatalogVersion) -> Self {
        let (Self::Create { priced_with, .. } | Self::Change { priced_with, .. }) = &mut self;
        *priced_with = Some(version);
        self
    }
}

/// An order that [`OrderRepository::take_due`] has taken because its due time was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueOrder {
    /// Store that the order belongs to.
    pub store: StoreId,
    /// The service's id of the order.
    pub order: OrderId,
}

/// Input of [`OrderRepository::fast_forward`]: the orders to fast-forward, and by how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FastForward {
    /// Lowest id of an order to fast-forward, inclusive.
    pub from: OrderId,
    /// Only orders with a lower id are fast-forwarded.
    pub before: OrderId,
    /// Maximum number of orders to fast-forward; orders without a due time are not counted.
    pub count: u32,
    /// Number of milliseconds to subtract from the due times, at least 1.
    pub millis: i64,
    /// Current time. Orders with a due time of `now` or earlier are taken, to be processed.
    pub now: Timestamp,
    /// Due time that taken orders get: no server takes them again before it.
    pub until: Timestamp,
}

/// Due orders that [`OrderRepository::fast_forward`] took, and the highest fast-forwarded id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FastForwardResult {
    /// Ids of the due orders that the call took, in ascending order.
    pub due: Vec<OrderId>,
    /// Highest id of a fast-forwarded order; `None` if no order was fast-forwarded.
    pub last: Option<OrderId>,
}

/// Criterion for looking up shipments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShipmentLookup {
    /// The service's id of the shipment.
    Id(ShipmentId),
    /// The carrier's number of the parcel.
    TrackingNumber(CanonicalNumber),
    /// All shipments of orders with a lower id, so that shipments can be read page by page.
    OfOrdersBefore(OrderId),
}

impl ShipmentLookup {
    /// Returns `true` if the criterion matches `shipment`, which belongs to `order`.
    pub fn finds(&self, order: OrderId, shipment: &Shipment) -> bool {
        match self {
            Self::Id(id) => shipment.id == *id,
            Self::TrackingNumber(number) => {
                let own = shipment.tracking_number.as_deref();
                own.map(CanonicalNumber::new).as_ref() == Some(number)
            }
            Self::OfOrdersBefore(before) => order < *before,
        }
    }
}

/// A shipment found by [`OrderRepository::find_shipments`], and the order that it belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct ShipmentMatch {
    /// Store that the order belongs to.
    pub store: StoreId,
    /// The service's id of the order.
    pub order: OrderId,
    /// Order number with its store's prefix, as people read it.
    pub service_order_id: ServiceOrderId,
    /// The shipment with its current values.
    pub shipment: Shipment,
}

/// Storage of orders. Each call is one transaction.
///
/// Every call with a `store` is about this store alone: an order of another store MUST NOT be found
/// or changed (`other_stores_never_see_an_order`).
#[async_trait]
pub trait OrderRepository: Send + Sync {
    /// Stores an order or a change together with its event, all or nothing. Returns the stored
    /// order, with the event's sequence as
    /// [`last_sequence`](crate::fulfilment::OrderState::last_sequence).
    ///
    /// - A created order MUST be found as it was given (`a_created_order_is_found_as_given`,
    ///   `the_largest_order_is_kept_whole`). An order of a store that does not exist MUST be
    ///   refused (`an_order_of_no_store_is_refused`).
    /// - The number of a created order MUST come from the store's own counter, grow and never be
    ///   given twice (`numbers_grow_and_are_never_used_twice`), also in concurrent calls
    ///   (`concurrent_creates_get_numbers_of_their_own`).
    /// - A second order with the same order id in a store MUST be refused with
    ///   [`RepositoryError::Duplicate`] and change nothing
    ///   (`a_second_order_of_the_same_id_is_a_duplicate`), also in concurrent calls
    ///   (`of_concurrent_creates_one_wins`). Two stores may use the same order id
    ///   (`two_stores_may_use_one_order_id`). Order ids MUST be compared letter by letter
    ///   (`order_ids_are_compared_letter_by_letter`).
    /// - An update MUST replace the order with all its items
    ///   (`an_update_replaces_the_whole_order`), also if the only difference is whether the store
    ///   gave a name (`whether_a_name_was_given_is_kept`). The update MUST be refused with
    ///   [`RepositoryError::Stale`] and change nothing if the order does not exist or does not have
    ///   the expected version (`a_stale_update_changes_nothing`). Exactly one of several concurrent
    ///   updates of a version MUST win (`of_concurrent_updates_one_wins`), and a reader MUST see
    ///   either all of an update or nothing of it (`no_reader_sees_half_an_update`).
    /// - A move, which is a change with [`content_changed`](Change::content_changed) set to
    ///   `false`, MUST leave the content as it is (`a_move_leaves_the_content_alone`). Shipments,
    ///   operators' fee lines and the whole state MUST be kept (`all_that_moves_is_kept`).
    /// - The sequences of a store's events MUST be 1, 2, 3 … in the order of the commits
    ///   (`sequences_have_no_hole`), also in concurrent calls
    ///   (`sequences_of_calls_at_once_have_no_hole`).
    /// - An order with words that do not [fit](pressline_kit::words::fit) MUST be refused with
    ///   [`RepositoryError::TooLarge`] and change nothing
    ///   (`an_order_whose_words_do_not_fit_is_refused`). Every word of a stored order MUST find it
    ///   (`every_word_of_the_widest_order_finds_it`,
    ///   `texts_that_grow_when_they_are_folded_find_their_order`).
    /// - A write priced with another version than the catalog's current version MUST be refused
    ///   with [`RepositoryError::CatalogChanged`] and change nothing
    ///   (`prices_of_another_catalog_are_refused`). In concurrent writes, the catalog version of
    ///   each write MUST be checked separately (`of_writes_at_once_each_is_held_to_its_catalog`).
    ///   Products can therefore be cached, and an import still applies to the next order.
    async fn write(&self, write: OrderWrite) -> Result<Order>;

    /// Checks, without waiting, that the queue of writes of a store has room, so that a call can be
    /// refused before it does any work. The write checks again, because other writes may fill the
    /// queue meanwhile. A repository without a queue always has room.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] if [`write`](Self::write) would fail with this error now.
    fn check_room(&self, _store: StoreId) -> Result<()> {
        Ok(())
    }

    /// Returns the order of `store` with the order id of `lookup`, else the order with the number
    /// or the id of `lookup`; `None` if no order has them (`an_unknown_order_is_none`).
    ///
    /// The caller's order id MUST come first, and another order with the number or the id MUST be
    /// returned with it (`a_name_that_fits_two_orders_finds_both`). The id MUST find an order of
    /// any age by its key, not by a search (`an_order_is_found_by_its_id`).
    async fn find(&self, store: StoreId, lookup: &Lookup) -> Result<Option<OrderMatch>>;

    /// Returns the service order id of the order `id`, if one of `stores` has this order (`None`
    /// means all stores), so that a caller of several stores can name an order by its id
    /// (`the_number_of_an_order_is_found_in_the_given_stores`).
    async fn service_order_id(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        id: OrderId,
    ) -> Result<Option<ServiceOrderId>>;

    /// Returns a page of the orders of `store` that match `query`, newest first: by descending id.
    ///
    /// - The page MUST have exactly the matching orders in sequence, from every offset and after
    ///   every start order (`search_pages_are_exact_and_in_order`,
    ///   `a_walk_by_id_meets_every_order_once`, `a_walk_through_many_matches_meets_each_once`). An
    ///   order stored later with a lower id MUST have the position of its id
    ///   (`orders_that_come_late_are_found_in_their_place`). The age of an order makes no
    ///   difference (`the_oldest_of_many_orders_are_found`). A store without orders has no page
    ///   (`an_empty_store_has_no_pages`).
    /// - Both ends of the time range MUST be included (`both_ends_of_the_time_range_count`).
    /// - A key MUST match the order's words as
    ///   [`SearchKey::matches`](pressline_kit::words::SearchKey::matches) defines, and no character
    ///   has a special meaning (`a_search_key_matches_beginnings_of_words`,
    ///   `no_character_of_a_key_is_special`, `a_key_of_many_words_finds_the_orders_that_have_all`,
    ///   `a_name_and_a_number_are_found_however_they_are_written`).
    /// - An order MUST be found by the current statuses of its items and by its type
    ///   (`orders_are_found_by_status_and_type`), also together with a key and a time range
    ///   (`a_status_with_a_key_is_exact`), at every offset and after every order
    ///   (`a_walk_by_status_meets_every_order_once`).
    /// - An updated order MUST be found by its new words and no longer by its old words
    ///   (`search_follows_updates`).
    /// - The first order of the page MUST be returned whole, and the following orders up to
    ///   [`SearchQuery::bytes`] in total, as [`Batch`](crate::order::search::Batch) decides. The
    ///   other orders are returned as references with their current sizes
    ///   (`a_page_is_whole_up_to_its_bytes`). The other orders MUST NOT be read into memory,
    ///   because they can be a hundred times as large.
    async fn search(&self, store: StoreId, query: &SearchQuery) -> Result<SearchResult>;

    /// Returns the orders of `store` with the ids `ids`, whole, in the sequence of `ids`.
    ///
    /// The first order MUST be returned, and following orders while the total of the current sizes
    /// is at most `bytes`. The other orders MUST NOT be read into memory
    /// (`orders_are_loaded_up_to_the_bytes_asked_for`), so that a page of the largest orders is
    /// read in batches (`a_page_of_the_largest_orders_is_read_batch_by_batch`). Ids of orders that
    /// the store does not have are skipped (`unknown_orders_are_not_loaded`).
    async fn load(&self, store: StoreId, ids: &[OrderId], bytes: u64) -> Result<Vec<Order>>;

    /// Returns up to `count` events of `order`, newest first: the event with the sequence `latest`,
    /// and earlier events. Empty if no event of this order has the sequence `latest`.
    ///
    /// Each event names the previous event of its order, and this chain MUST be followed
    /// (`events_follow_the_chain_of_their_order`). The data that undoes an event MUST be kept
    /// (`each_version_is_rebuilt_from_its_events`).
    async fn events(
        &self,
        store: StoreId,
        order: OrderId,
        latest: u64,
        count: u32,
    ) -> Result<Vec<Event>>;

    /// Takes orders of any store with a due time of `now` or earlier, up to about `count`, and
    /// moves their due times to `until`. So no server takes them before that time
    /// (`an_order_is_taken_when_it_is_due`), also in concurrent calls
    /// (`of_servers_at_once_one_takes_an_order`). The due orders of a store MUST NOT delay the due
    /// orders of other stores (`no_store_keeps_the_due_orders_of_others_waiting`).
    async fn take_due(&self, now: Timestamp, until: Timestamp, count: u32)
    -> Result<Vec<DueOrder>>;

    /// Makes windows and holds of orders of `store` end earlier. `fast_forward` contains the number
    /// of milliseconds, and limits the ids and the number of the orders; orders without a due time
    /// are not counted. Orders that are then due are taken as by [`take_due`](Self::take_due).
    /// Nothing else of an order changes, and no event is stored. The order's next event records the
    /// new ends, so that earlier versions of the order MUST still have the earlier ends
    /// (`earlier_versions_keep_their_ends`).
    ///
    /// Either all selected orders MUST be fast-forwarded or none, and each exactly once
    /// (`orders_fall_due_sooner`). If each call of a series begins after the last order of the
    /// previous call, the series MUST fast-forward each order exactly once, also if calls are
    /// concurrent (`calls_at_once_bring_orders_nearer_by_their_sum`).
    async fn fast_forward(
        &self,
        store: StoreId,
        fast_forward: &FastForward,
    ) -> Result<FastForwardResult>;

    /// Returns up to `count` shipments that match `lookup`, including void shipments, of orders of
    /// `stores` (`None` means all stores). Shipments of newer orders come first, and within an
    /// order the latest shipments.
    ///
    /// The result MUST be the current state, of `stores` only
    /// (`shipments_are_found_in_the_given_stores`, `a_shipment_is_found_by_its_present_number`),
    /// and consist of the first matches (`the_shipments_of_the_newest_orders_come_first`,
    /// `shipments_are_walked_from_order_to_order`).
    async fn find_shipments(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        lookup: &ShipmentLookup,
        count: u32,
    ) -> Result<Vec<ShipmentMatch>>;

    /// Checks that the storage is ready: it is reachable, has the tables that this program expects,
    /// and writes work (`ping_answers`).
    ///
    /// May write a little. Callers cache the result for a second.
    async fn ping(&self) -> Result<()>;
}
