//! Finding one order by any of its names.

use std::borrow::Cow;
use std::sync::Arc;

use super::search::SearchDraft;
use super::{Lookup, Order, OrderError, OrderService};
use crate::field::Field;
use crate::id::{ServiceOrderId, StoreId};
use crate::limits;
use crate::page::PageDraft;
use crate::store::{Store, StoreSet, StoresByPrefix};

/// Where a caller finds its orders, and by which names.
#[derive(Clone, Copy)]
pub enum OrderScope<'a> {
    /// In its own store: by the caller's id, or the service order id.
    Store(&'a Store),
    /// In several stores: by the service order id, whose prefix names the store. Orders of other stores are not found.
    Stores {
        /// The stores that the caller reaches.
        set: &'a StoreSet,
        /// All stores.
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

/// The order that a caller names, which need not exist, in the store that it would be in.
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
            // A store can choose an order id that looks like the number of another order.
            lookup: Lookup::numbered(id.number),
        })
    }
}

impl OrderService {
    /// The order with this name: the caller's order id, else the service order id, else the
    /// service's id.
    ///
    /// # Errors
    /// [`OrderError::NotFound`] and [`OrderError::Repository`].
    #[pressline_kit::boxed]
    pub async fn find(&self, store: &Store, name: &str) -> Result<Order, OrderError> {
        match self.stored(&NamedOrder::of_store(store, name)).await {
            Err(OrderError::NotFound) => {
                let found = self.find_by_id(store, name).await?;
                found.ok_or(OrderError::NotFound)
            }
            found => found,
        }
    }

    /// Returns the order with this name that a caller reaches.
    ///
    /// # Errors
    /// [`OrderError::NotFound`] and [`OrderError::Repository`].
    pub async fn reached(&self, reach: OrderScope<'_>, name: &str) -> Result<Order, OrderError> {
        self.stored(&reach.named(name).await?).await
    }

    pub(super) async fn stored(&self, named: &NamedOrder<'_>) -> Result<Order, OrderError> {
        let found = self.orders.find(named.store.id, &named.lookup).await?;
        found.ok_or(OrderError::NotFound)
    }

    /// Searches for the id, which is a word of its order. Other orders may mention it too.
    async fn find_by_id(&self, store: &Store, name: &str) -> Result<Option<Order>, OrderError> {
        let Ok(id) = name.parse() else {
            return Ok(None);
        };
        let mut draft = SearchDraft {
            search_key: Field::Value(name.to_owned()),
            paging: PageDraft {
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
