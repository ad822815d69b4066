//! The port that finds orders in several stores.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;

use pressline_domain::error::Result;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::id::{OrderId, StoreId};
use pressline_domain::order::search::OrderReference;
use pressline_domain::order::{Order, OrderKind};
use pressline_domain::store::StoreSet;
use pressline_kit::words::SearchKey;

/// The stores that a call is about: those of a set, with its test stores or without them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreFilter {
    /// The set.
    pub set: StoreSet,
    /// Whether the test stores of the set are included.
    pub with_test: bool,
}

impl StoreFilter {
    /// Returns whether the call is about a store, which is a test store or not.
    pub fn include(&self, store: StoreId, is_test: bool) -> bool {
        let is_in_set = self.set.as_ref().is_none_or(|set| set.contains(&store));
        is_in_set && (self.with_test || !is_test)
    }
}

/// Which orders come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Those with the lowest ids.
    OldestFirst,
    /// Those with the highest ids.
    NewestFirst,
}

/// A part of the orders of several stores.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossStoreQuery {
    /// The stores.
    pub stores: StoreFilter,
    /// The lowest id.
    pub from: OrderId,
    /// The id below which an order must be.
    pub before: OrderId,
    /// Whose words begin so.
    pub key: Option<SearchKey>,
    /// With an item in one of these statuses; empty for any.
    pub statuses: BTreeSet<ItemStatus>,
    /// Of one of these types; empty for any.
    pub kinds: BTreeSet<OrderKind>,
    /// Which of them come first.
    pub direction: Direction,
    /// How many at most.
    pub count: u32,
}

/// Where an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderRef {
    /// Its store.
    pub store: StoreId,
    /// Its id and size.
    pub order: OrderReference,
}

impl OrderRef {
    /// Returns the place of an order.
    pub fn new(order: &Order) -> Self {
        let content = &order.content;
        let (id, bytes) = (content.id, content.loaded_bytes());
        Self {
            store: content.store_id,
            order: OrderReference { id, bytes },
        }
    }
}

impl CrossStoreQuery {
    /// Returns whether an order of the set of stores is found: whether it is one of a test store as asked for, and has one
    /// of the statuses and types, and the words.
    pub fn matches(&self, order: &Order) -> bool {
        let mut items = order.state.items.iter();
        let has_status = items.any(|item| self.statuses.contains(&item.status));
        let key = self.key.as_ref();
        (self.stores.with_test || !order.content.test)
            && (self.statuses.is_empty() || has_status)
            && (self.kinds.is_empty() || self.kinds.contains(&order.content.kind()))
            && key.is_none_or(|key| key.matches(&order.words()))
    }
}

/// Which items are counted, and how exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemCount {
    /// Those of the orders of these stores.
    pub stores: StoreFilter,
    /// Those in one of these statuses; empty for all.
    pub statuses: BTreeSet<ItemStatus>,
    /// The number up to which the items in a status are counted exactly.
    pub exact_to: u32,
}

impl ItemCount {
    /// Returns whether items in a status are counted.
    pub fn counts(&self, status: ItemStatus) -> bool {
        self.statuses.is_empty() || self.statuses.contains(&status)
    }

    /// Returns how many orders suffice to find more items than are counted exactly.
    pub fn most_orders(&self) -> u64 {
        u64::from(self.exact_to) + 1
    }
}

/// The number of items in each status.
pub type ItemCounts = BTreeMap<ItemStatus, u64>;

/// Finds orders in several stores, for operators. No request of a store calls it.
#[async_trait]
pub trait OrderQueue: Send + Sync {
    /// Returns the first orders of a walk, in its direction by their ids.
    ///
    /// They MUST be exactly those that match and come first (`a_walk_across_stores_is_exact`), and only
    /// of the walk's stores (`a_walk_keeps_to_its_stores`, `test_stores_are_found_only_if_asked_for`). A key MUST match as in a search of a store
    /// (`a_walk_with_a_key_is_exact`).
    async fn page(&self, query: &CrossStoreQuery) -> Result<Vec<OrderRef>>;

    /// Returns how many items are in each status. A status that is missing has none.
    ///
    /// The numbers MUST be exact, but those above the bound, which need only be above it
    /// (`items_are_counted_by_status`, `items_are_counted_as_far_as_asked`), and be those of the stores
    /// (`test_stores_are_found_only_if_asked_for`).
    async fn count_items(&self, count: &ItemCount) -> Result<ItemCounts>;
}
