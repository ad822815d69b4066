//! The use cases of operators that look at several stores, over the ports.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt, TryStreamExt};

use super::{OrderQueue, OrderRef};
use pressline_domain::id::{OrderId, StoreId};
use pressline_domain::order::search::{BATCH_BYTES, Batch};
use pressline_domain::order::{Order, OrderError, OrderRepository};

/// Stores whose orders are read at the same time: a page can have orders of as many stores as rows.
const STORES_AT_ONCE: usize = 4;

/// Finds orders and items in the stores of an operator.
#[derive(Clone)]
pub struct QueueService {
    pub(super) queue: Arc<dyn OrderQueue>,
    pub(super) orders: Arc<dyn OrderRepository>,
}

impl QueueService {
    /// Returns a service over these ports.
    pub fn new(queue: Arc<dyn OrderQueue>, orders: Arc<dyn OrderRepository>) -> Self {
        Self { queue, orders }
    }

    /// Returns these orders, in ascending order of their ids, without those that do not exist. All are in memory together.
    ///
    /// # Errors
    /// [`OrderError::Repository`].
    #[pressline_kit::boxed]
    pub async fn load(&self, places: &[OrderRef]) -> Result<Vec<Order>, OrderError> {
        let (mut orders, mut rest) = (Vec::with_capacity(places.len()), places);
        while !rest.is_empty() {
            let (read, later) = self.read(rest).await?;
            orders.extend(read);
            rest = later;
        }
        Ok(orders)
    }

    /// Reads the first of these orders, as many as may be in memory at once, in ascending order of their
    /// ids. Returns them with the places of the others.
    pub(super) async fn read<'p>(
        &self,
        places: &'p [OrderRef],
    ) -> Result<(Vec<Order>, &'p [OrderRef]), OrderError> {
        let mut batch = Batch::new(BATCH_BYTES);
        let fitting = places
            .iter()
            .take_while(|place| batch.takes(place.order.bytes));
        let (now, later) = places.split_at(fitting.count());
        let mut by_store: BTreeMap<StoreId, Vec<OrderId>> = BTreeMap::new();
        for place in now {
            let ids = by_store.entry(place.store).or_default();
            ids.push(place.order.id);
        }
        let reads = by_store.into_iter();
        let reads = reads.map(|(store, ids)| self.read_of_store(store, ids));
        let reads = stream::iter(reads).buffer_unordered(STORES_AT_ONCE);
        let orders: Vec<Vec<Order>> = reads.try_collect().await?;
        let mut orders: Vec<Order> = orders.into_iter().flatten().collect();
        orders.sort_by_key(|order| order.content.id);
        Ok((orders, later))
    }

    /// Returns the orders `ids` of a store, in ascending order, without unknown ones. All are in memory together.
    pub(crate) async fn read_of_store(
        &self,
        store: StoreId,
        ids: Vec<OrderId>,
    ) -> Result<Vec<Order>, OrderError> {
        let mut orders = Vec::with_capacity(ids.len());
        let mut ids = ids.as_slice();
        while !ids.is_empty() {
            // Fewer where orders have grown meanwhile, but at least one, unless none of them exists.
            let read = self.orders.load(store, ids, BATCH_BYTES).await?;
            let last = read.last().map(|order| order.content.id);
            let done = ids.iter().position(|id| Some(*id) == last);
            ids = done.map_or(&[], |done| ids.get(done + 1..).unwrap_or_default());
            orders.extend(read);
        }
        Ok(orders)
    }
}
