//! Ports of the queue, the overview and reports, in memory: they read orders across stores.

use std::cmp::Reverse;

use async_trait::async_trait;

use crate::memory::{MemoryProduction, at_most};
use crate::overview::{HourCounts, Hours, OpenOrder, Overview};
use crate::production::{BatchRepository, ProgressRepository};
use crate::queue::{
    CrossStoreQuery, Direction, ItemCount, ItemCounts, OrderQueue, OrderRef, StoreFilter,
};
use crate::statistics::{PlacedOrder, PlacedOrders, PlacedRange};
use pressline_domain::error::Result;
use pressline_domain::memory::MemoryOrders;
use pressline_domain::order::Order;
use pressline_domain::value::OrderId;

#[async_trait]
impl OrderQueue for MemoryOrders {
    async fn page(&self, query: &CrossStoreQuery) -> Result<Vec<OrderRef>> {
        let mut orders = self.all(&query.stores.set);
        orders.retain(|order| (query.from..query.before).contains(&order.content.id));
        let matching = orders.iter().filter(|order| query.matches(order));
        let mut places: Vec<OrderRef> = matching.map(OrderRef::new).collect();
        match query.direction {
            Direction::OldestFirst => places.sort_by_key(|place| place.order.id),
            Direction::NewestFirst => places.sort_by_key(|place| Reverse(place.order.id)),
        }
        places.truncate(at_most(query.count));
        Ok(places)
    }

    async fn count_items(&self, count: &ItemCount) -> Result<ItemCounts> {
        let stores = &count.stores;
        let mut counts = ItemCounts::new();
        let mut orders = self.all(&stores.set);
        orders.retain(|order| stores.with_test || !order.content.test);
        let items = orders.iter().flat_map(|order| &order.state.items);
        for item in items.filter(|item| count.counts(item.status)) {
            *counts.entry(item.status).or_default() += 1;
        }
        Ok(counts)
    }
}

/// Reads the orders and production progress stored in memory, for the overview and for reports.
#[derive(Clone)]
pub struct MemoryOverview {
    orders: MemoryOrders,
    production: MemoryProduction,
}

impl MemoryOverview {
    /// Creates an overview that reads `orders` and `production`.
    pub fn new(orders: &MemoryOrders, production: &MemoryProduction) -> Self {
        Self {
            orders: orders.clone(),
            production: production.clone(),
        }
    }

    fn range(&self, range: &PlacedRange) -> Vec<Order> {
        let mut orders = self.orders.all(&Some([range.store].into()));
        orders.retain(|order| (range.from..range.before).contains(&order.content.id));
        orders.truncate(at_most(range.count));
        orders
    }

    fn order(&self, place: &OrderRef) -> Option<Order> {
        let mut orders = self.orders.all(&Some([place.store].into())).into_iter();
        orders.find(|order| order.content.id == place.order.id)
    }
}

#[async_trait]
impl Overview for MemoryOverview {
    async fn orders(&self, places: &[OrderRef]) -> Result<Vec<OpenOrder>> {
        let mut orders = Vec::new();
        for place in places {
            let Some(order) = self.order(place) else {
                continue;
            };
            let ids = [place.order.id];
            let progress = self.production.progress(place.store, &ids).await?;
            let batches = self.production.in_open_batches(place.store, &ids).await?;
            let batch_of = |place| batches.get(&place).copied();
            orders.push(OpenOrder::new(&order, &progress, batch_of));
        }
        orders.sort_by_key(|order| order.id);
        Ok(orders)
    }

    async fn hours(&self, stores: &StoreFilter, hours: Hours) -> Result<Vec<HourCounts>> {
        let mut counts = hours.empty();
        let mut add = |id, orders, units| {
            let hour = hours.position(id).and_then(|hour| counts.get_mut(hour));
            if let Some(hour) = hour {
                hour.orders += orders;
                hour.units += units;
            }
        };
        let mut orders = self.orders.all(&stores.set);
        orders.retain(|order| stores.with_test || !order.content.test);
        for order in orders {
            add(order.content.id, 1, 0);
            for shipment in order.shipments.iter().filter(|shipment| shipment.counts()) {
                let units = shipment.items.iter().map(|item| u64::from(item.quantity));
                // `Hours::position` reads only the time in the id, and a shipment's id has a time
                // as well.
                add(OrderId::new(*shipment.id.as_uuid()), 0, units.sum());
            }
        }
        Ok(counts)
    }
}

#[async_trait]
impl PlacedOrders for MemoryOverview {
    async fn placed(&self, range: &PlacedRange) -> Result<Vec<PlacedOrder>> {
        let orders = self.range(range);
        let ids: Vec<_> = orders.iter().map(|order| order.content.id).collect();
        let progress = self.production.progress(range.store, &ids).await?;
        let placed = orders
            .iter()
            .map(|order| PlacedOrder::new(order, &progress));
        Ok(placed.collect())
    }
}
