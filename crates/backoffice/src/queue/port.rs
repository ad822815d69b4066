//! Port that finds orders across stores.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;

use pressline_domain::error::Result;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::search::OrderReference;
use pressline_domain::order::{Order, OrderKind};
use pressline_domain::store::StoreSet;
use pressline_domain::value::{OrderId, StoreId};
use pressline_kit::words::SearchKey;

/// Filter for stores: a set of stores, with or without its test stores.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreFilter {
    /// Allowed stores; `None` allows all.
    pub set: StoreSet,
    /// Whether test stores in `set` are included.
    pub with_test: bool,
}

impl StoreFilter {
    /// Returns whether the filter includes `store`; `is_test` says whether it is a test store.
    pub fn include(&self, store: StoreId, is_test: bool) -> bool {
        let is_in_set = self.set.as_ref().is_none_or(|set| set.contains(&store));
        is_in_set && (self.with_test || !is_test)
    }
}

/// Sort order of a list of orders. Order ids ascend with the creation time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Ascending order of ids.
    OldestFirst,
    /// Descending order of ids.
    NewestFirst,
}

/// Query for orders across stores.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossStoreQuery {
    /// Stores to search for orders.
    pub stores: StoreFilter,
    /// Lowest order id, inclusive.
    pub from: OrderId,
    /// Upper bound of the order ids, exclusive.
    pub before: OrderId,
    /// Search key, matched by word prefixes; `None` matches all orders.
    pub key: Option<SearchKey>,
    /// Statuses: at least one item of the order must have one of them. Empty matches all orders.
    pub statuses: BTreeSet<ItemStatus>,
    /// Allowed order types; empty allows any.
    pub kinds: BTreeSet<OrderKind>,
    /// Sort order; it also decides which orders are returned if more than `count` match.
    pub direction: Direction,
    /// Maximum number of orders to return.
    pub count: u32,
}

/// Reference to an order in a store, with the size of the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderRef {
    /// Store of the order.
    pub store: StoreId,
    /// Id of the order, and its size in bytes.
    pub order: OrderReference,
}

impl OrderRef {
    /// Returns the reference to `order`.
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
    /// Returns whether `order` matches `stores.with_test`, `statuses`, `kinds` and `key`. Does not
    /// check `stores.set` and the id range: the caller must.
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

/// Request to count items by status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemCount {
    /// Stores of the items to count.
    pub stores: StoreFilter,
    /// Statuses to count; empty for all.
    pub statuses: BTreeSet<ItemStatus>,
    /// Limit of exact counts; instead of a higher count, any number above it may be returned.
    pub exact_to: u32,
}

impl ItemCount {
    /// Returns whether items in `status` are counted.
    pub fn counts(&self, status: ItemStatus) -> bool {
        self.statuses.is_empty() || self.statuses.contains(&status)
    }

    /// Returns `exact_to` + 1: counting can stop there, because each order has at least one item.
    pub fn most_orders(&self) -> u64 {
        u64::from(self.exact_to) + 1
    }
}

/// Number of items in each status.
pub type ItemCounts = BTreeMap<ItemStatus, u64>;

/// Finds orders across stores, for operators. Requests of stores never call it.
#[async_trait]
pub trait OrderQueue: Send + Sync {
    /// Returns the first orders that match `query`, sorted by id in the direction
    /// `query.direction`.
    ///
    /// They MUST be exactly the first matching orders (`a_walk_across_stores_is_exact`), and only
    /// from the query's stores (`a_walk_keeps_to_its_stores`,
    /// `test_stores_are_found_only_if_asked_for`). A key MUST match as in a search of a store
    /// (`a_walk_with_a_key_is_exact`).
    async fn page(&self, query: &CrossStoreQuery) -> Result<Vec<OrderRef>>;

    /// Returns the number of items in each status. Statuses without items are missing.
    ///
    /// Numbers up to `exact_to` MUST be exact; instead of a higher number, any number above
    /// `exact_to` may be returned (`items_are_counted_by_status`,
    /// `items_are_counted_as_far_as_asked`). Only items of the stores `count.stores` MUST be
    /// counted (`test_stores_are_found_only_if_asked_for`).
    async fn count_items(&self, count: &ItemCount) -> Result<ItemCounts>;
}
