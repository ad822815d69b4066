//! The use cases of orders, over the ports.

use std::sync::Arc;

use super::OrderRepository;
use crate::catalog::Catalog;
use crate::id::ItemId;
use crate::order::{Order, OrderParts};
use crate::pricing::ShippingOption;
use crate::report::Warning;
use crate::runtime::{Clock, IdSource};

use crate::catalog::cache::{CACHE_BYTES, CachedCatalog};

/// Places, changes and finds orders.
#[derive(Clone)]
pub struct OrderService {
    pub(super) orders: Arc<dyn OrderRepository>,
    pub(super) catalog: Arc<CachedCatalog>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn IdSource>,
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

/// What a request would come to, were it carried out now. Nothing is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Quote {
    /// The order that would be answered.
    pub order: QuotedOrder,
    /// Those of its items that are not stored: their ids are good for this quote alone.
    pub unstored: Vec<ItemId>,
    /// The ship classes that the order could be sent in. `None` except in an estimate whose items
    /// name none, and of label orders.
    pub shipping_options: Option<Vec<ShippingOption>>,
    /// What the caller should know.
    pub warnings: Vec<Warning>,
}

/// An order as it would be.
#[derive(Debug, Clone, PartialEq)]
pub enum QuotedOrder {
    /// One that would be new, and get its number then. Of an estimate it need not be complete: the
    /// order id is empty if none was given, the customer can be without a name, and the shipping
    /// address can be no more than a country.
    New(Box<OrderParts>),
    /// One that is there, as it would be, or as it is where the same request came before.
    Existing(Box<Order>),
}

impl QuotedOrder {
    /// Returns the parts of the order.
    #[must_use]
    pub fn parts(&self) -> &OrderParts {
        match self {
            Self::New(parts) => parts,
            Self::Existing(order) => order.parts(),
        }
    }
}

impl OrderService {
    /// A service over these ports.
    #[must_use]
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
        }
    }
}
