//! The service with the use cases of orders.

use std::sync::Arc;

use super::OrderRepository;
use super::find::OrderReader;
use super::priced::OrderPricing;
use super::writer::OrderWriter;
use crate::catalog::Catalog;
use crate::catalog::cache::{CACHE_BYTES, CachedCatalog};
use crate::check::limits;
use crate::event::EventObserver;
use crate::runtime::{Clock, IdSource};

/// The use cases of orders, divided by use. A caller takes only the parts that it needs.
///
/// Callers are not authenticated here: each use case believes the [`Store`](crate::store::Store)
/// and the [`Caller`](crate::fulfilment::Caller) that it is given.
#[derive(Clone)]
pub struct OrderService {
    /// Reads orders, their history and their shipments.
    pub read: OrderReader,
    /// Known SKUs and weights of products.
    pub pricing: OrderPricing,
    /// Creates orders, also on trial and as replacements.
    pub place: OrderPlacer,
    /// Changes the content and the fees of orders.
    pub change: OrderEditor,
    /// Gives commands that change the statuses of items.
    pub moves: OrderMover,
    /// Records shipments.
    pub ship: OrderShipper,
    /// Processes orders whose windows and holds have ended.
    pub due: DueOrders,
}

/// Creates orders: for stores, on trial, and as replacements of printed goods.
#[derive(Clone)]
pub struct OrderPlacer {
    pub(super) writer: Arc<OrderWriter>,
    /// Cooling-off window of stores without a setting, in seconds.
    pub(super) cooling_off_seconds: u32,
}

/// Changes the content and the fees of orders, and decides about changes that stores requested.
#[derive(Clone)]
pub struct OrderEditor {
    pub(super) writer: Arc<OrderWriter>,
}

/// Gives commands about items, such as holds and cancellations, for one or many orders.
#[derive(Clone)]
pub struct OrderMover {
    pub(super) writer: Arc<OrderWriter>,
}

/// Records shipments and the reports of carriers.
#[derive(Clone)]
pub struct OrderShipper {
    pub(super) writer: Arc<OrderWriter>,
}

/// Processes orders that are due: ends their windows and holds.
#[derive(Clone)]
pub struct DueOrders {
    pub(super) writer: Arc<OrderWriter>,
}

impl OrderService {
    /// Creates a service with a default cooling-off window of one hour.
    pub fn new(
        orders: Arc<dyn OrderRepository>,
        catalog: Arc<dyn Catalog>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
    ) -> Self {
        let writer = OrderWriter {
            reader: OrderReader { orders },
            pricing: OrderPricing {
                catalog: Arc::new(CachedCatalog::new(catalog, CACHE_BYTES)),
            },
            clock,
            ids,
            observers: Vec::new(),
        };
        Self::of(writer, limits::USUAL_COOLING_OFF)
    }

    fn of(writer: OrderWriter, cooling_off_seconds: u32) -> Self {
        let (read, pricing) = (writer.reader.clone(), writer.pricing.clone());
        let shared = Arc::new(writer);
        let share = || Arc::clone(&shared);
        Self {
            place: OrderPlacer {
                writer: share(),
                cooling_off_seconds,
            },
            change: OrderEditor { writer: share() },
            moves: OrderMover { writer: share() },
            ship: OrderShipper { writer: share() },
            due: DueOrders { writer: share() },
            read,
            pricing,
        }
    }

    /// Returns the service with an additional `observer` of the events that it stores.
    #[must_use]
    pub fn observed_by(self, observer: Arc<dyn EventObserver>) -> Self {
        let mut writer = (*self.place.writer).clone();
        writer.observers.push(observer);
        Self::of(writer, self.place.cooling_off_seconds)
    }

    /// Returns the service with a default window of `seconds`, for stores without a setting.
    #[must_use]
    pub fn cooling_off(mut self, seconds: u32) -> Self {
        self.place.cooling_off_seconds = seconds;
        self
    }
}
