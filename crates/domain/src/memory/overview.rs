//! The ports of the overview and of reports, in memory.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::{MemoryOrders, MemoryProduction, lock};
use crate::error::RepositoryError;
use crate::figures::{PlacedOrder, PlacedOrders, PlacedRange};
use crate::id::OrderId;
use crate::order::Order;
use crate::order::queue::{AskedStores, OrderPlace};
use crate::overview::{HourCounts, Hours, OpenOrder, Overview};
use crate::production::{BatchRepository, ProgressRepository};

/// Reads orders and production in memory, for the overview and for reports.
#[derive(Clone)]
pub struct MemoryOverview {
    orders: MemoryOrders,
    production: MemoryProduction,
}

impl MemoryOverview {
    /// Returns the overview of these.
    pub fn new(orders: &MemoryOrders, production: &MemoryProduction) -> Self {
        Self {
            orders: orders.clone(),
            production: production.clone(),
        }
    }

    fn range(&self, range: &PlacedRange) -> Vec<Order> {
        let shelves = lock(&self.orders.shelves);
        let shelf = shelves.get(&range.store);
        // A map has no range that ends before it begins.
        let shelf = shelf.filter(|_| range.from < range.before);
        let kept = shelf.map(|shelf| shelf.orders.range(range.from..range.before));
        let count = usize::try_from(range.count).unwrap_or(usize::MAX);
        let orders = kept.into_iter().flatten().take(count);
        orders.map(|(_, kept)| kept.order.clone()).collect()
    }

    fn order(&self, place: &OrderPlace) -> Option<Order> {
        let shelves = lock(&self.orders.shelves);
        let kept = shelves.get(&place.store)?.orders.get(&place.order.id)?;
        Some(kept.order.clone())
    }
}

#[async_trait]
impl Overview for MemoryOverview {
    async fn orders(&self, places: &[OrderPlace]) -> Result<Vec<OpenOrder>, RepositoryError> {
        let mut orders = Vec::new();
        for place in places {
            let Some(order) = self.order(place) else {
                continue;
            };
            let ids = [place.order.id];
            let progress = self.production.progress(place.store, &ids).await?;
            let taken = self.production.in_open_batches(place.store, &ids).await?;
            let taken = taken.iter().map(|taken| (taken.place, taken.batch));
            let batches: BTreeMap<_, _> = taken.collect();
            let batch_of = |place| batches.get(&place).copied();
            orders.push(OpenOrder::of(&order, &progress, batch_of));
        }
        orders.sort_by_key(|order| order.id);
        Ok(orders)
    }

    async fn hours(
        &self,
        stores: &AskedStores,
        hours: Hours,
    ) -> Result<Vec<HourCounts>, RepositoryError> {
        let mut counts = hours.empty();
        let mut add = |id, orders, units| {
            let hour = hours.position(id).and_then(|hour| counts.get_mut(hour));
            if let Some(hour) = hour {
                hour.orders += orders;
                hour.units += units;
            }
        };
        let shelves = lock(&self.orders.shelves);
        let kept = shelves.values().flat_map(|shelf| shelf.orders.values());
        let orders = kept.map(|kept| &kept.order);
        for order in orders.filter(|order| {
            let content = &order.content;
            stores.include(content.store_id, content.test)
        }) {
            add(order.content.id, 1, 0);
            for shipment in order.shipments.iter().filter(|shipment| shipment.counts()) {
                let units = shipment.items.iter().map(|item| u64::from(item.quantity));
                add(OrderId::new(*shipment.id.as_uuid()), 0, units.sum());
            }
        }
        Ok(counts)
    }
}

#[async_trait]
impl PlacedOrders for MemoryOverview {
    async fn placed(&self, range: &PlacedRange) -> Result<Vec<PlacedOrder>, RepositoryError> {
        let orders = self.range(range);
        let ids: Vec<_> = orders.iter().map(|order| order.content.id).collect();
        let progress = self.production.progress(range.store, &ids).await?;
        let placed = orders.iter().map(|order| PlacedOrder::of(order, &progress));
        Ok(placed.collect())
    }
}
