//! Looks up an order by any of its names.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Lookup, Order, OrderError, OrderIdentity, OrderMatch, OrderRepository, load_next};
use crate::check::{IssueCode, Warning};
use crate::error::RepositoryError;
use crate::store::{Store, StoreSet, StoresByPrefix};
use crate::value::{OrderId, ServiceOrderId, StoreId};

/// Stores in which a caller can find orders, and so the ids by which it can name them.
#[derive(Clone, Copy)]
pub enum OrderScope<'a> {
    /// A single store. Its orders are named by the order id, the service order id or the id.
    Store(&'a Store),
    /// Several stores. Their orders are named by the service order id, with the store's prefix, or
    /// by the id.
    Stores {
        /// Ids of the stores that the caller has access to; `None` for all stores.
        set: &'a StoreSet,
        /// Lookup of stores by the prefix of their service order ids, not limited to `set`.
        by_prefix: &'a StoresByPrefix,
        /// Treatment of a service order id that is also a store's order id of another order.
        own_ids: OwnOrderIds,
    },
}

/// Treatment of a service order id that is also the order id that a store gave to another of its
/// orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnOrderIds {
    /// The name is ambiguous. For names from people and other programs, who can mean either order.
    Ambiguous,
    /// The name is the service order id. For names that the service itself wrote into a page, a
    /// task or a code, always from the order's number.
    Ignored,
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

/// An order as it was read, with warnings about its name.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadOrder {
    /// The order as it is now, or as it was at the requested version.
    pub order: Order,
    /// [`IssueCode::AmbiguousOrderId`] if the name also fits another order.
    pub warnings: Vec<Warning>,
}

/// The order need not exist.
pub(super) struct NamedOrder<'a> {
    pub(super) store: Cow<'a, Store>,
    lookup: Lookup,
    /// The caller's names are service order ids: an order id of the store is not a name.
    is_numbered: bool,
}

impl<'a> NamedOrder<'a> {
    pub(super) fn of_store(store: &'a Store, name: &str) -> Self {
        Self {
            lookup: Lookup::named(name, store),
            store: Cow::Borrowed(store),
            is_numbered: false,
        }
    }

    fn numbered(store: Cow<'a, Store>, number: i64) -> Self {
        Self {
            store,
            lookup: Lookup::numbered(number),
            is_numbered: true,
        }
    }

    /// Returns the named order, and another order that the name also fits.
    fn meant(&self, order_match: OrderMatch) -> Option<(Order, Option<Box<Order>>)> {
        if !self.is_numbered {
            return Some((order_match.order, order_match.other));
        }
        match order_match.other {
            // The order with the matching order id comes first.
            Some(numbered) => Some((*numbered, Some(Box::new(order_match.order)))),
            None => {
                let number = Some(order_match.order.service_order_id.number);
                (number == self.lookup.number).then_some((order_match.order, None))
            }
        }
    }

    async fn matching(
        &self,
        orders: &dyn OrderRepository,
    ) -> Result<(Order, Option<Box<Order>>), OrderError> {
        let order_match = orders.find(self.store.id, &self.lookup).await?;
        let order = order_match.and_then(|order_match| self.meant(order_match));
        order.ok_or(OrderError::NotFound)
    }

    async fn read(&self, orders: &dyn OrderRepository) -> Result<ReadOrder, OrderError> {
        let (order, other) = self.matching(orders).await?;
        let warning = other.map(|other| fits_another(&order, &other, self.is_numbered));
        Ok(ReadOrder {
            warnings: warning.into_iter().collect(),
            order,
        })
    }
}

impl<'a> OrderScope<'a> {
    /// Returns the order of this scope that `name` names, to read it. For subjects that only have
    /// the port; [`OrderReader::get`] also reads earlier versions.
    ///
    /// # Errors
    /// [`OrderError::NotFound`] for an unknown name, [`OrderError::Repository`] if a query fails.
    pub async fn read(
        self,
        orders: &dyn OrderRepository,
        name: &str,
    ) -> Result<ReadOrder, OrderError> {
        self.named(orders, name).await?.read(orders).await
    }

    async fn named(
        self,
        orders: &dyn OrderRepository,
        name: &str,
    ) -> Result<NamedOrder<'a>, OrderError> {
        let (set, by_prefix, own_ids) = match self {
            Self::Store(store) => return Ok(NamedOrder::of_store(store, name)),
            Self::Stores {
                set,
                by_prefix,
                own_ids,
            } => (set, by_prefix, own_ids),
        };
        if let Ok(id) = name.parse() {
            let number = orders.service_order_id(set.as_ref(), id).await?;
            return numbered(set, by_prefix, &number.ok_or(OrderError::NotFound)?).await;
        }
        let number = name.parse().map_err(|_| OrderError::NotFound)?;
        let mut named_order = numbered(set, by_prefix, &number).await?;
        if own_ids == OwnOrderIds::Ambiguous {
            named_order.lookup = Lookup::named(name, &named_order.store);
        }
        Ok(named_order)
    }
}

impl<'a> OrderScope<'a> {
    async fn numbered(self, id: &ServiceOrderId) -> Result<NamedOrder<'a>, OrderError> {
        match self {
            Self::Store(store) if store.prefix == id.prefix => {
                Ok(NamedOrder::numbered(Cow::Borrowed(store), id.number))
            }
            Self::Store(_) => Err(OrderError::NotFound),
            Self::Stores { set, by_prefix, .. } => numbered(set, by_prefix, id).await,
        }
    }
}

/// Reads orders: by their names, as they were earlier, by a search, and by their shipments.
#[derive(Clone)]
pub struct OrderReader {
    pub(super) orders: Arc<dyn OrderRepository>,
}

impl OrderReader {
    /// Returns the order of `store` that `name` names, to read it: by the caller's order id, else
    /// by the service order id or the service's id ([`OrderParts::id`](super::OrderParts::id)).
    ///
    /// # Errors
    /// [`OrderError::NotFound`] for an unknown name, [`OrderError::Repository`] if a query fails.
    #[pressline_kit::boxed]
    pub async fn find(&self, store: &Store, name: &str) -> Result<ReadOrder, OrderError> {
        self.read_named(&NamedOrder::of_store(store, name)).await
    }

    /// Returns the order with this `name` in `scope`, to change it or to record something about it.
    /// To only read an order, use [`find`](Self::find) or [`get`](Self::get), which accept an
    /// ambiguous name with a warning.
    ///
    /// # Errors
    /// [`OrderError::NotFound`] if the scope has no order with this `name`,
    /// [`OrderError::Ambiguous`] if it has two, and [`OrderError::Repository`] if a query fails.
    pub async fn reached(&self, scope: OrderScope<'_>, name: &str) -> Result<Order, OrderError> {
        self.stored(&self.named(scope, name).await?).await
    }

    /// Returns the service order id of the order `id`, if one of the stores in `set` has the order.
    ///
    /// # Errors
    /// Returns an error if the query fails.
    pub async fn service_order_id(
        &self,
        set: &StoreSet,
        id: OrderId,
    ) -> Result<Option<ServiceOrderId>, RepositoryError> {
        self.orders.service_order_id(set.as_ref(), id).await
    }

    /// Loads the next of `ids`, up to `bytes` in total, and removes them, as [`load_next`] does.
    ///
    /// # Errors
    /// Same errors as [`load_next`].
    pub async fn load_next(
        &self,
        store: StoreId,
        ids: &mut &[OrderId],
        bytes: u64,
    ) -> Result<Vec<Order>, RepositoryError> {
        load_next(&*self.orders, store, ids, bytes).await
    }

    pub(super) async fn named<'a>(
        &self,
        scope: OrderScope<'a>,
        name: &str,
    ) -> Result<NamedOrder<'a>, OrderError> {
        scope.named(&*self.orders, name).await
    }

    /// Names an order by its number alone, whatever order ids its store has given.
    pub(super) async fn numbered<'a>(
        &self,
        scope: OrderScope<'a>,
        id: &ServiceOrderId,
    ) -> Result<NamedOrder<'a>, OrderError> {
        scope.numbered(id).await
    }

    /// Reads the order for a change.
    pub(super) async fn stored(&self, named_order: &NamedOrder<'_>) -> Result<Order, OrderError> {
        match named_order.matching(&*self.orders).await? {
            (order, None) => Ok(order),
            (order, Some(other)) => Err(OrderError::Ambiguous {
                candidates: Box::new([&order, &*other].map(OrderIdentity::new)),
            }),
        }
    }

    pub(super) async fn load_order(
        &self,
        store: StoreId,
        id: OrderId,
    ) -> Result<Option<Order>, RepositoryError> {
        Ok(self
            .orders
            .load(store, &[id], u64::MAX)
            .await?
            .into_iter()
            .next())
    }

    pub(super) async fn existing(
        &self,
        store: &Store,
        order_id: &str,
    ) -> Result<Option<Order>, RepositoryError> {
        // An order id that looks like a number must not find the order with that number.
        let lookup = Lookup::by_order_id(order_id);
        Ok(self.orders.find(store.id, &lookup).await?.map(Order::from))
    }

    pub(super) async fn read_named(
        &self,
        named_order: &NamedOrder<'_>,
    ) -> Result<ReadOrder, OrderError> {
        named_order.read(&*self.orders).await
    }
}

/// Names an order of several stores by its number alone.
async fn numbered<'a>(
    set: &StoreSet,
    by_prefix: &StoresByPrefix,
    id: &ServiceOrderId,
) -> Result<NamedOrder<'a>, OrderError> {
    let store = by_prefix.get(&id.prefix).await?;
    let is_reached = |id: &StoreId| set.as_ref().is_none_or(|stores| stores.contains(id));
    let reached = store.filter(|store| is_reached(&store.id));
    let store = reached.ok_or(OrderError::NotFound)?;
    Ok(NamedOrder::numbered(Cow::Owned(store), id.number))
}

fn fits_another(order: &Order, other: &Order, is_numbered: bool) -> Warning {
    let (meant, also) = match is_numbered {
        true => ("service order id", "order_id"),
        false => ("order_id", "service order id or id"),
    };
    let name = |order: &Order| format!("{} (id {})", order.service_order_id, order.content.id);
    Warning {
        field: "order_id".to_owned(),
        code: IssueCode::AmbiguousOrderId,
        message: format!(
            "this name fits two orders: {} by its {meant}, and {} by its {also}; the response is \
             about the first; name an order by its id",
            name(order),
            name(other)
        ),
    }
}
