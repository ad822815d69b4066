//! The orders of several stores, in memory.

use std::cmp::Reverse;

use async_trait::async_trait;

use super::{MemoryOrders, at_most, lock};
use crate::error::Result;
use crate::id::StoreId;
use crate::order::queue::{Direction, ItemCount, ItemCounts, OrderPlace, OrderQueue, Walk};
use crate::store::StoreSet;

pub(super) fn is_in(stores: &StoreSet, store: StoreId) -> bool {
    stores.as_ref().is_none_or(|stores| stores.contains(&store))
}

#[async_trait]
impl OrderQueue for MemoryOrders {
    async fn walk(&self, walk: &Walk) -> Result<Vec<OrderPlace>> {
        let mut places = Vec::new();
        let shelves = lock(&self.shelves);
        let asked = shelves
            .iter()
            .filter(|(store, _)| is_in(&walk.stores.set, **store));
        for (_, shelf) in asked {
            let after = shelf.orders.range(walk.from..);
            let within = after.take_while(|(id, _)| **id < walk.before);
            let matching = within.filter(|(_, kept)| walk.matches(&kept.order));
            places.extend(matching.map(|(_, kept)| OrderPlace::of(&kept.order)));
        }
        match walk.direction {
            Direction::OldestFirst => places.sort_by_key(|place| place.order.id),
            Direction::NewestFirst => places.sort_by_key(|place| Reverse(place.order.id)),
        }
        places.truncate(at_most(walk.count));
        Ok(places)
    }

    async fn count_items(&self, count: &ItemCount) -> Result<ItemCounts> {
        let stores = &count.stores;
        let mut counts = ItemCounts::new();
        let shelves = lock(&self.shelves);
        let asked = shelves
            .iter()
            .filter(|(store, _)| is_in(&stores.set, **store));
        let orders = asked.flat_map(|(_, shelf)| shelf.orders.values());
        let orders = orders.filter(|kept| stores.with_test || !kept.order.content.test);
        let items = orders.flat_map(|kept| &kept.order.state.items);
        for item in items.filter(|item| count.counts(item.status)) {
            *counts.entry(item.status).or_default() += 1;
        }
        Ok(counts)
    }
}
