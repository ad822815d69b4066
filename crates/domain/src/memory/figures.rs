//! Placed orders for figures, in memory.

use async_trait::async_trait;

use super::{MemoryOrders, MemoryProduction, at_most, lock};
use crate::error::Result;
use crate::figures::{PlacedOrder, PlacedOrders, PlacedRange};
use crate::order::Order;
use crate::production::ProgressRepository;

/// Reads placed orders of orders and production in memory.
#[derive(Clone)]
pub struct MemoryFigures {
    orders: MemoryOrders,
    production: MemoryProduction,
}

impl MemoryFigures {
    /// Returns what reads these.
    pub fn new(orders: &MemoryOrders, production: &MemoryProduction) -> Self {
        Self {
            orders: orders.clone(),
            production: production.clone(),
        }
    }

    fn orders(&self, range: &PlacedRange) -> Vec<Order> {
        let shelves = lock(&self.orders.shelves);
        let shelf = shelves.get(&range.store);
        let Some(shelf) = shelf.filter(|_| range.from < range.before) else {
            return Vec::new();
        };
        let kept = shelf.orders.range(range.from..range.before);
        let kept = kept.take(at_most(range.count));
        kept.map(|(_, kept)| kept.order.clone()).collect()
    }
}

#[async_trait]
impl PlacedOrders for MemoryFigures {
    async fn placed(&self, range: &PlacedRange) -> Result<Vec<PlacedOrder>> {
        let orders = self.orders(range);
        let ids: Vec<_> = orders.iter().map(|order| order.content.id).collect();
        let progress = self.production.progress(range.store, &ids).await?;
        let placed = orders.iter().map(|order| PlacedOrder::of(order, &progress));
        Ok(placed.collect())
    }
}
