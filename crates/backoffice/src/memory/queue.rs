//! Order queue across stores, in memory.

use std::cmp::Reverse;

use async_trait::async_trait;

use crate::memory::at_most;
use crate::queue::{CrossStoreQuery, Direction, ItemCount, ItemCounts, OrderQueue, OrderRef};
use pressline_domain::error::Result;
use pressline_domain::memory::MemoryOrders;

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
