//! What the overview shows, in memory.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::queue::is_in;
use super::{MemoryOrders, MemoryProduction, lock};
use crate::error::Result;
use crate::fulfilment::ShipmentStatus;
use crate::id::OrderId;
use crate::order::Order;
use crate::order::queue::{AskedStores, OrderPlace};
use crate::overview::{HourCounts, Hours, OpenOrder, Overview};
use crate::production::{BatchRepository, ProgressRepository};

/// Reads what the overview shows of orders and production in memory.
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

    fn order(&self, place: &OrderPlace) -> Option<Order> {
        let shelves = lock(&self.orders.shelves);
        let kept = shelves.get(&place.store)?.orders.get(&place.order.id)?;
        Some(kept.order.clone())
    }
}

#[async_trait]
impl Overview for MemoryOverview {
    async fn orders(&self, places: &[OrderPlace]) -> Result<Vec<OpenOrder>> {
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

    async fn hours(&self, stores: &AskedStores, hours: Hours) -> Result<Vec<HourCounts>> {
        let mut counts = hours.empty();
        let mut add = |id, orders, units| {
            let hour = hours.position(id).and_then(|hour| counts.get_mut(hour));
            if let Some(hour) = hour {
                hour.orders += orders;
                hour.units += units;
            }
        };
        let shelves = lock(&self.orders.shelves);
        let asked = shelves
            .iter()
            .filter(|(store, _)| is_in(&stores.set, **store));
        let kept = asked.flat_map(|(_, shelf)| shelf.orders.values());
        for order in kept.map(|kept| &kept.order) {
            if order.content.test && !stores.with_test {
                continue;
            }
            add(order.content.id, 1, 0);
            let shipments = order.shipments.iter();
            for shipment in shipments.filter(|shipment| shipment.status != ShipmentStatus::Void) {
                let units = shipment.items.iter().map(|item| u64::from(item.quantity));
                let units: u64 = units.sum();
                add(OrderId::new(*shipment.id.as_uuid()), 0, units);
            }
        }
        Ok(counts)
    }
}
