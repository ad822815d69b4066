//! The use cases of orders, over the ports.

use std::sync::Arc;

use super::{Order, OrderParts, OrderRepository, OrderWrite};
use crate::catalog::Catalog;
use crate::error::Result;
use crate::event::EventObserver;
use crate::fulfilment::SnapshotParts;
use crate::id::ItemId;
use crate::limits;
use crate::pricing::ShippingOption;
use crate::report::Warning;
use crate::runtime::{Clock, IdSource};
use crate::time::Timestamp;

use crate::catalog::cache::{CACHE_BYTES, CachedCatalog};

/// Places, changes and finds orders.
#[derive(Clone)]
pub struct OrderService {
    pub(super) orders: Arc<dyn OrderRepository>,
    pub(super) catalog: Arc<CachedCatalog>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn IdSource>,
    /// Window of stores that have set none, in seconds.
    pub(super) cooling_off_seconds: u32,
    observers: Vec<Arc<dyn EventObserver>>,
}

/// The outcome of a request that wrote an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The order as it now is.
    pub order: Order,
    /// What the caller should know.
    pub warnings: Vec<Warning>,
    /// True where the order was there already, from the same request before.
    pub replayed: bool,
}

/// The result of a dry run or an estimate: what the request would result in now.
#[derive(Debug, Clone, PartialEq)]
pub struct DryRun {
    /// The order that the request would return.
    pub order: DryRunOrder,
    /// Those of its items that are not stored: their ids are valid in this result only.
    pub unstored: Vec<ItemId>,
    /// The ship classes to choose from; `None` unless this is an estimate whose items name none.
    pub shipping_options: Option<Vec<ShippingOption>>,
    /// What the caller should know.
    pub warnings: Vec<Warning>,
}

/// The order of a dry run or an estimate.
#[derive(Debug, Clone, PartialEq)]
pub enum DryRunOrder {
    /// An order that would be created, and would get its number then: here it is 0. In an estimate it can
    /// be incomplete: the order id is empty if none was given, the customer can be without a name, and
    /// the shipping address can be no more than a country.
    New(Box<SnapshotParts>),
    /// A stored order: as an update would leave it, or as the same request created it before.
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
    /// Returns the order.
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
    /// A service over these ports.
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

    /// Returns the service that passes each event which it stores to this observer too.
    #[must_use]
    pub fn observed_by(mut self, observer: Arc<dyn EventObserver>) -> Self {
        self.observers.push(observer);
        self
    }

    /// The service with another window, in seconds, for stores that have set none.
    #[must_use]
    pub fn cooling_off(self, seconds: u32) -> Self {
        Self {
            cooling_off_seconds: seconds,
            ..self
        }
    }

    /// Writes an order or a change of it. The observers learn of the event after the commit.
    ///
    /// # Errors
    /// Those of [`OrderRepository::write`].
    pub async fn write(&self, write: OrderWrite) -> Result<Order> {
        let order = self.orders.write(write).await?;
        for observer in &self.observers {
            observer.stored(order.content.store_id, order.state.last_sequence);
        }
        Ok(order)
    }

    /// Returns the repository of the orders.
    pub fn repository(&self) -> &dyn OrderRepository {
        self.orders.as_ref()
    }

    /// Returns a new id, which is higher than all ids before.
    pub fn next_id(&self) -> uuid::Uuid {
        self.ids.next(self.clock.now())
    }

    /// Returns the present time by the clock of the service.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}
