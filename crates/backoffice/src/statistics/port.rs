//! Port that reads placed orders.

use async_trait::async_trait;

use super::placed::PlacedOrder;
use pressline_domain::error::RepositoryError;
use pressline_domain::value::{OrderId, StoreId};

/// Request for the first orders of a store within a range of order ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedRange {
    /// Store of the orders.
    pub store: StoreId,
    /// Lowest order id, inclusive.
    pub from: OrderId,
    /// Upper bound of the order ids, exclusive.
    pub before: OrderId,
    /// Maximum number of orders to return.
    pub count: u32,
}

/// Reads placed orders for statistics. Only reports of operators call it, never requests of stores.
#[async_trait]
pub trait PlacedOrders: Send + Sync {
    /// Returns the first orders of `range`, in ascending order of their ids.
    ///
    /// They MUST be exactly the first orders of the store within the range
    /// (`placed_orders_are_those_of_the_range`). Each MUST be as it is stored, with its
    /// corrections, and with the shipments and the progress of its items
    /// (`placed_orders_are_read_as_they_are_stored`).
    async fn placed(&self, range: &PlacedRange) -> Result<Vec<PlacedOrder>, RepositoryError>;
}
