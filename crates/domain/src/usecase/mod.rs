//! The use cases: what the service does with orders and stores, over the ports.

mod create;
mod error;
mod price;
mod products;
mod search;
mod stores;
mod update;

use std::sync::Arc;

use crate::order::Order;
use crate::ports::{Catalog, Clock, IdSource, OrderRepository};
use crate::pricing::Tariff;
use crate::report::Warning;

use products::RecentProducts;

pub use error::{ExistingOrder, OrderError};
pub use stores::{NewStore, StoreAdmin, StoreChange, StoreError, StoreWithSecret};

/// Places, changes and finds orders.
#[derive(Clone)]
pub struct OrderService {
    orders: Arc<dyn OrderRepository>,
    catalog: Arc<dyn Catalog>,
    products: Arc<RecentProducts>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    tariff: Arc<Tariff>,
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

impl OrderService {
    /// A service over these ports.
    #[must_use]
    pub fn new(
        orders: Arc<dyn OrderRepository>,
        catalog: Arc<dyn Catalog>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
        tariff: Tariff,
    ) -> Self {
        Self { orders, catalog, products: Arc::default(), clock, ids, tariff: Arc::new(tariff) }
    }

    /// True where orders can be kept now.
    ///
    /// # Errors
    /// What the repository says.
    pub async fn ping(&self) -> Result<(), crate::ports::RepositoryError> {
        self.orders.ping().await
    }
}
