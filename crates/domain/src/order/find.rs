//! Looks up an order by any of its names.

use std::borrow::Cow;
use std::sync::Arc;

use super::search::SearchDraft;
use super::{Lookup, Order, OrderError, OrderService};
use crate::check::{Field, limits};
use crate::store::{Store, StoreSet, StoresByPrefix};
use crate::value::page::PageDraft;
use crate::value::{ServiceOrderId, StoreId};

/// Stores in which a caller can find orders, and so the ids by which it can name them.
#[derive(Clone, Copy)]
pub enum OrderScope<'a> {
    /// A single store. Its orders are named by the order id or the service order id.
    Store(&'a Store),
    /// Several stores. Their orders are named by the service order id, with the store's prefix.
    Stores {
        /// Ids of the stores that the caller has access to; `None` for all stores.
        set: &'a StoreSet,
        /// Lookup of stores by the prefix of their service order ids, not limited to `set`.
        by_prefix: &'a StoresByPrefix,
    },
}

impl<'a> From<&'a Store> for OrderScope<'a> {
    fn from(store: &'a Store) -> Self {
        Self::Store(store)
    }
}

impl<'a> From<&'a Arc<Store>> for OrderScope<'a> {
    fn from(store: &'a Arc<Store>) -> Self {
        Self::Store(store)
    }
}

/// The order need not exist.
pub(super) struct NamedOrder<'a> {
    pub(super) store: Cow<'a, Store>,
    lookup: Lookup,
}

impl<'a> NamedOrder<'a> {
    pub(super) fn of_store(store: &'a Store, name: &str) -> Self {
        Self {
            lookup: Lookup::named(name, store),
            store: Cow::Borrowed(store),
        }
    }
}

impl<'a> OrderScope<'a> {
    pub(super) async fn named(self, name: &str) -> Result<NamedOrder<'a>, OrderError> {
        let (set, by_prefix) = match self {
            Self::Store(store) => return Ok(NamedOrder::of_store(store, name)),
            Self::Stores { set, by_prefix } => (set, by_prefix),
        };
        let id: ServiceOrderId = name.parse().map_err(|_| OrderError::NotFound)?;
        let store = by_prefix.get(&id.prefix).await?;
        let is_reached = |id: &StoreId| set.as_ref().is_none_or(|stores| stores.contains(id));
        let reached = store.filter(|store| is_reached(&store.id));
        Ok(NamedOrder {
            store: Cow::Owned(reached.ok_or(OrderError::NotFound)?),
            // By number only: an order id can look like the number of another order.
            lookup: Lookup::numbered(id.number),
        })
    }
}

impl OrderService {
    /// Returns the order of `store` that `name` names: by the caller's order id, else by the
    /// service order id, else by the service's id ([`OrderParts::id`](super::OrderParts::id)).
    ///
    /// # Errors
    /// [`OrderError::NotFound`] for an unknown name, [`OrderError::Repository`] if a query fails.
    #[pressline_kit::boxed]
    pub async fn find(&self, store: &Store, name: &str) -> Result<Order, OrderError> {
        match self.stored(&NamedOrder::of_store(store, name)).await {
            Err(OrderError::NotFound) => {
                // Last, because a search costs more than a lookup by key.
                let found = self.find_by_id(store, name).await?;
                found.ok_or(OrderError::NotFound)
            }
            found => found,
        }
    }

    /// Returns the order with this `name` in the scope `reach` of the caller.
    ///
    /// # Errors
    /// [`OrderError::NotFound`] if the scope has no order with this `name`,
    /// [`OrderError::Repository`] if a query fails.
    pub async fn reached(&self, reach: OrderScope<'_>, name: &str) -> Result<Order, OrderError> {
        self.stored(&reach.named(name).await?).await
    }

    pub(super) async fn stored(&self, named: &NamedOrder<'_>) -> Result<Order, OrderError> {
        let found = self.orders.find(named.store.id, &named.lookup).await?;
        found.ok_or(OrderError::NotFound)
    }

    /// Compares the ids of found orders, because a search also finds `name` in another field.
    async fn find_by_id(&self, store: &Store, name: &str) -> Result<Option<Order>, OrderError> {
        let Ok(id) = name.parse() else {
            return Ok(None);
        };
        let mut draft = SearchDraft {
            search_key: Field::Value(name.to_owned()),
            paging: PageDraft {
                // The largest page, so that few queries are needed.
                size: Field::Value(i64::from(limits::PAGE_SIZE)),
                ..PageDraft::default()
            },
            ..SearchDraft::default()
        };
        loop {
            let page = self.search(store, &draft).await?.page;
            let mut orders = page.entries.into_iter();
            if let Some(found) = orders.find(|order| order.parts().id == id) {
                return Ok(Some(found));
            }
            let Some(cursor) = page.next_cursor else {
                return Ok(None);
            };
            draft.paging.cursor = Field::Value(cursor);
        }
    }
}
