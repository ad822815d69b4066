//! The port that reads placed orders.

use async_trait::async_trait;

use super::placed::PlacedOrder;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{OrderId, StoreId};

/// A part of a store's orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedRange {
    /// The store.
    pub store: StoreId,
    /// The lowest id.
    pub from: OrderId,
    /// The id below which an order must be.
    pub before: OrderId,
    /// How many orders at most.
    pub count: u32,
}

/// Reads placed orders for figures. No request of a store calls it.
#[async_trait]
pub trait PlacedOrders: Send + Sync {
    /// Returns the first orders of a range, in ascending order of their ids.
    ///
    /// They MUST be exactly those of the store and of the range that come first (`placed_orders_are_those_of_the_range`), each as it
    /// is stored, with its corrections, the shipments and the progress of its items (`placed_orders_are_read_as_they_are_stored`).
    async fn placed(&self, range: &PlacedRange) -> Result<Vec<PlacedOrder>, RepositoryError>;
}
