//! The service with the use cases of orders.

use std::sync::Arc;

use super::price::ShippingOption;
use super::{Order, OrderParts, OrderRepository, OrderWrite};
use crate::catalog::Catalog;
use crate::catalog::cache::{CACHE_BYTES, CachedCatalog};
use crate::check::{Warning, limits};
use crate::error::Result;
use crate::event::EventObserver;
use crate::fulfilment::SnapshotParts;
use crate::runtime::{Clock, IdSource};
use crate::store::{StoreDirectory, StoresByPrefix};
use crate::value::{ItemId, Timestamp};

/// The use cases of orders: creates, changes and finds orders for stores and operators, and
/// processes due orders.
///
/// Callers are not authenticated here: each use case believes the [`Store`](crate::store::Store)
/// and the [`Caller`](crate::fulfilment::Caller) that it is given.
#[derive(Clone)]
pub struct OrderService {
    pub(super) orders: Arc<dyn OrderRepository>,
    pub(super) catalog: Arc<CachedCatalog>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn IdSource>,
    /// Cooling-off window of stores without a setting, in seconds.
    pub(super) cooling_off_seconds: u32,
    observers: Vec<Arc<dyn EventObserver>>,
}

/// Result of a request that writes an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The order as it is now.
    pub order: Order,
    /// Problems of the request that did not prevent the result.
    pub warnings: Vec<Warning>,
    /// `true` if the request had been carried out before; always `false` for an update.
    pub replayed: bool,
}

/// Result of a dry run or an estimate: the result that the request would have now.
#[derive(Debug, Clone, PartialEq)]
pub struct DryRun {
    /// Order that the request would return.
    pub order: DryRunOrder,
    /// Ids of the unstored items in `order`. The ids are valid in this result only.
    pub unstored: Vec<ItemId>,
    /// Ship classes to choose from, only for an estimate of a manual order without ship classes.
    pub shipping_options: Option<Vec<ShippingOption>>,
    /// Problems of the request that did not prevent the result.
    pub warnings: Vec<Warning>,
}

/// Order in the result of a dry run or an estimate.
#[derive(Debug, Clone, PartialEq)]
pub enum DryRunOrder {
    /// An order that would be created, with the number 0. In an estimate it can be incomplete: an
    /// empty order id, a customer without a name, an address with only a country.
    New(Box<SnapshotParts>),
    /// A stored order: as an update or decision would leave it, or already created by the request.
    Existing(Box<Order>),
}

impl DryRun {
    pub(super) fn of_stored(stored: &Order, after: Order, warnings: Vec<Warning>) -> Self {
        let items = after.content.items.iter().map(|item| item.id);
        let unstored = items.filter(|id| stored.line(*id).is_none()).collect();
        Self {
            order: DryRunOrder::Existing(Box::new(after)),
            unstored,
            shipping_options: None,
            warnings,
        }
    }
}

impl DryRunOrder {
    /// Returns the order, whether new or stored.
    pub fn snapshot(&self) -> &SnapshotParts {
        match self {
            Self::New(order) => order,
            Self::Existing(order) => order,
        }
    }

    /// Returns the content of the order.
    pub fn parts(&self) -> &OrderParts {
        &self.snapshot().content
    }
}

impl OrderService {
    /// Creates a service with a default cooling-off window of one hour.
    pub fn new(
        orders: Arc<dyn OrderRepository>,
        catalog: Arc<dyn Catalog>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
    ) -> Self {
        Self {
            orders,
            catalog: Arc::new(CachedCatalog::new(catalog, CACHE_BYTES)),
            clock,
            ids,
            cooling_off_seconds: limits::USUAL_COOLING_OFF,
            observers: Vec::new(),
        }
    }

    /// Returns the service with an additional `observer` of the events that it stores.
    #[must_use]
    pub fn observed_by(mut self, observer: Arc<dyn EventObserver>) -> Self {
        self.observers.push(observer);
        self
    }

    /// Returns the service with a default window of `seconds`, for stores without a setting.
    #[must_use]
    pub fn cooling_off(self, seconds: u32) -> Self {
        Self {
            cooling_off_seconds: seconds,
            ..self
        }
    }

    /// Writes, then notifies the observers. Same errors as [`OrderRepository::write`].
    pub async fn write(&self, write: OrderWrite) -> Result<Order> {
        let order = self.orders.write(write).await?;
        for observer in &self.observers {
            observer.stored(order.content.store_id, order.state.last_sequence);
        }
        Ok(order)
    }

    /// Returns the repository that stores the orders.
    pub fn repository(&self) -> &dyn OrderRepository {
        self.orders.as_ref()
    }

    /// Returns a lookup of the stores in `directory`, for an
    /// [`OrderScope`](super::OrderScope) of this service's callers.
    pub fn stores_by_prefix(&self, directory: Arc<dyn StoreDirectory>) -> StoresByPrefix {
        StoresByPrefix::new(directory, Arc::clone(&self.clock))
    }

    /// Returns a new id, higher than all earlier ids of this process.
    pub fn next_id(&self) -> uuid::Uuid {
        self.ids.next(self.clock.now())
    }

    /// Returns the current time of the service's clock.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}
