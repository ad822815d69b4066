//! The use cases of operators that look at several stores, over the ports.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{OrderPlace, OrderQueue};
use crate::id::{OrderId, StoreId};
use crate::order::search::{BATCH_BYTES, Batch};
use crate::order::{Order, OrderError, OrderRepository};

/// Finds orders and items in the stores of an operator.
#[derive(Clone)]
pub struct QueueService {
    pub(super) queue: Arc<dyn OrderQueue>,
    pub(super) orders: Arc<dyn OrderRepository>,
}

impl QueueService {
    /// Returns a service over these ports.
    #[must_use]
    pub fn new(queue: Arc<dyn OrderQueue>, orders: Arc<dyn OrderRepository>) -> Self {
        Self { queue, orders }
    }

    /// Returns these orders, in ascending order of their ids, without those that do not exist. All are in memory at once.
    ///
    /// # Errors
    /// [`OrderError::Repository`].
    pub async fn load(&self, places: &[OrderPlace]) -> Result<Vec<Order>, OrderError> {
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
        places: &'p [OrderPlace],
    ) -> Result<(Vec<Order>, &'p [OrderPlace]), OrderError> {
        let mut batch = Batch::of(BATCH_BYTES);
        let fitting = places
            .iter()
            .take_while(|place| batch.takes(place.order.bytes));
        let (now, later) = places.split_at(fitting.count());
        let mut by_store: BTreeMap<StoreId, Vec<OrderId>> = BTreeMap::new();
        for place in now {
            by_store
                .entry(place.store)
                .or_default()
                .push(place.order.id);
        }
        let mut orders = Vec::with_capacity(now.len());
        for (store, ids) in by_store {
            let mut ids = ids.as_slice();
            while !ids.is_empty() {
                // Fewer where orders have grown meanwhile, but at least one, unless none of them exists.
                let read = self.orders.load(store, ids, BATCH_BYTES).await?;
                let last = read.last().map(|order| order.content.id);
                let done = ids.iter().position(|id| Some(*id) == last);
                ids = done.map_or(&[], |done| ids.get(done + 1..).unwrap_or_default());
                orders.extend(read);
            }
        }
        orders.sort_by_key(|order| order.content.id);
        Ok((orders, later))
    }
}
