//! Use cases of operators across stores.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt, TryStreamExt};

use super::draft::StoresDraft;
use super::{ItemCount, ItemCounts, OrderQueue, OrderRef};
use crate::operator::Operator;
use pressline_domain::check::Report;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::search::{BATCH_BYTES, Batch};
use pressline_domain::order::{Order, OrderError, OrderRepository, load_next};
use pressline_domain::value::{OrderId, StoreId};

type Result<T, E = OrderError> = std::result::Result<T, E>;

const STORES_AT_ONCE: usize = 4;

/// Finds orders and items in the stores that an operator has access to.
#[derive(Clone)]
pub struct QueueService {
    pub(super) queue: Arc<dyn OrderQueue>,
    pub(super) orders: Arc<dyn OrderRepository>,
}

impl QueueService {
    /// Creates a service that finds orders with `queue` and reads them from `orders`.
    pub fn new(queue: Arc<dyn OrderQueue>, orders: Arc<dyn OrderRepository>) -> Self {
        Self { queue, orders }
    }

    /// Returns the orders that `places` refers to, in ascending order of their ids. Unknown orders
    /// are left out. All orders are in memory together.
    ///
    /// # Errors
    /// [`OrderError::Repository`] if a query fails.
    #[pressline_kit::boxed]
    pub async fn load(&self, places: &[OrderRef]) -> Result<Vec<Order>> {
        let (mut orders, mut rest) = (Vec::with_capacity(places.len()), places);
        while !rest.is_empty() {
            let (read, later) = self.read(rest).await?;
            orders.extend(read);
            rest = later;
        }
        orders.sort_by_key(|order| order.content.id);
        Ok(orders)
    }

    /// Reads orders from the beginning of `places`, at least one, up to [`BATCH_BYTES`] in total.
    /// Returns them in ascending order of ids, and the references still to read.
    pub(super) async fn read<'p>(
        &self,
        places: &'p [OrderRef],
    ) -> Result<(Vec<Order>, &'p [OrderRef])> {
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
        let futures = by_store
            .into_iter()
            .map(|(store, ids)| self.read_of_store(store, ids));
        let reads = stream::iter(futures).buffer_unordered(STORES_AT_ONCE);
        let batches: Vec<Vec<Order>> = reads.try_collect().await?;
        let mut orders: Vec<Order> = batches.into_iter().flatten().collect();
        orders.sort_by_key(|order| order.content.id);
        Ok((orders, later))
    }

    /// Returns the orders with the given `ids`, sorted as `ids`. Leaves out unknown ids.
    pub(crate) async fn read_of_store(
        &self,
        store: StoreId,
        ids: Vec<OrderId>,
    ) -> Result<Vec<Order>> {
        let mut orders = Vec::with_capacity(ids.len());
        let mut ids = ids.as_slice();
        while !ids.is_empty() {
            orders.extend(load_next(&*self.orders, store, &mut ids, BATCH_BYTES).await?);
        }
        Ok(orders)
    }

    /// Returns exact numbers of items by status, in the `stores` that `operator` has access to.
    #[pressline_kit::boxed]
    pub async fn counts(&self, operator: &Operator, stores: &StoresDraft) -> Result<ItemCounts> {
        self.counted(operator, stores, &ItemStatus::ALL, u32::MAX)
            .await
    }

    /// Returns the number of items in each open status, in the `stores` that `operator` has access
    /// to. Numbers up to `exact_to` are exact; a higher number only means that there are more.
    /// Finished items are not counted, because they are the bulk of a database.
    #[pressline_kit::boxed]
    pub async fn open_counts(
        &self,
        operator: &Operator,
        stores: &StoresDraft,
        exact_to: u32,
    ) -> Result<ItemCounts> {
        let open: Vec<ItemStatus> = ItemStatus::ALL
            .into_iter()
            .filter(|status| !status.is_done())
            .collect();
        self.counted(operator, stores, &open, exact_to).await
    }

    async fn counted(
        &self,
        operator: &Operator,
        stores: &StoresDraft,
        statuses: &[ItemStatus],
        exact_to: u32,
    ) -> Result<ItemCounts> {
        let mut report = Report::default();
        let store_filter = stores.check(&mut report);
        report.check()?;
        let count = ItemCount {
            stores: store_filter.within(&operator.stores),
            statuses: statuses.iter().copied().collect(),
            exact_to,
        };
        let mut counts = self.queue.count_items(&count).await?;
        // The port leaves out statuses without items.
        for status in statuses {
            counts.entry(*status).or_default();
        }
        Ok(counts)
    }
}
