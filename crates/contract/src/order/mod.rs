//! Cases about an order repository.

mod at_once;
mod due;
mod keys;
mod large;
mod late;
mod life;
mod naming;
mod notes;
mod overview;
mod priced;
mod queue;
mod reading;
mod shipments;
mod statistics;
mod status;
mod updating;
mod words;
mod writing;

use std::sync::Arc;

use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::Change;
use pressline_domain::order::search::{SearchFilter, SearchQuery, SearchResult, Start};
use pressline_domain::order::{Lookup, Order, OrderParts, OrderRepository, OrderWrite};
use pressline_domain::value::{OrderId, StoreId};
use pressline_kit::words::SearchKey;

use crate::random::Random;
use crate::samples::placed;
use crate::{Adapters, CaseError};

pub(crate) use at_once::CASES as CONCURRENCY;
pub(crate) use due::CASES as DUE;
pub(crate) use keys::CASES as KEYS;
pub(crate) use large::CASES as LARGE;
pub(crate) use late::CASES as LATE;
pub(crate) use life::{CASES as LIFE, LATER, held, released};
pub(crate) use naming::CASES as NAMING;
pub(crate) use notes::CASES as NOTES;
pub(crate) use overview::CASES as OVERVIEW;
pub(crate) use priced::CASES as PRICED;
pub(crate) use queue::CASES as QUEUE;
pub(crate) use reading::CASES as READING;
pub(crate) use shipments::CASES as SHIPMENTS;
pub(crate) use statistics::CASES as FIGURES;
pub(crate) use status::CASES as STATUS;
pub(crate) use updating::CASES as UPDATING;
pub(crate) use words::CASES as WORDS;
pub(crate) use writing::CASES as WRITING;

/// Adapters with one store.
pub(crate) struct Shop {
    pub(crate) orders: Arc<dyn OrderRepository>,
    pub(crate) store: StoreId,
    pub(crate) adapters: Adapters,
    pub(crate) random: Random,
}

impl Shop {
    pub(crate) async fn open(adapters: Adapters) -> Result<Self, CaseError> {
        let mut random = Random::new();
        let record = random.added_store(&adapters.stores, "SHOP").await?;
        Ok(Self {
            orders: Arc::clone(&adapters.orders),
            store: record.store.id,
            adapters,
            random,
        })
    }

    /// Adds another store.
    pub(crate) async fn another(&mut self, prefix: &str) -> Result<StoreId, CaseError> {
        let stores = &self.adapters.stores;
        let record = self.random.added_store(stores, prefix).await?;
        Ok(record.store.id)
    }

    /// Returns the parts of a random order of the first store, with the id `order_id`.
    fn parts(&mut self, order_id: &str) -> Result<OrderParts, CaseError> {
        self.random.order(self.store, order_id)
    }

    /// Creates a random order in the first store, with the id `order_id`.
    async fn place(&mut self, order_id: &str) -> Result<Order, CaseError> {
        let parts = self.parts(order_id)?;
        Ok(create(&self.orders, parts).await??)
    }

    async fn find(&self, store: StoreId, order_id: &str) -> Result<Option<Order>, CaseError> {
        let lookup = Lookup::by_order_id(order_id);
        let found = self.orders.find(store, &lookup).await?;
        Ok(found.map(Order::from))
    }

    /// Returns the first order of the first store that `lookup` finds.
    async fn found(&self, lookup: &Lookup) -> Result<Option<Order>, CaseError> {
        let found = self.orders.find(self.store, lookup).await?;
        Ok(found.map(Order::from))
    }

    /// Returns up to 100 orders of `store`, newest first.
    pub(crate) async fn all(&self, store: StoreId) -> Result<Vec<Order>, CaseError> {
        Ok(self
            .search(store, SearchFilter::default(), Start::Offset(0), 100)
            .await?
            .orders)
    }

    /// Returns the ids of up to `size` orders of the first store that `key` finds.
    async fn found_by(&self, key: Option<SearchKey>, size: u32) -> Result<Vec<OrderId>, CaseError> {
        let filter = SearchFilter {
            key,
            ..SearchFilter::default()
        };
        let found = self.search(self.store, filter, Start::Offset(0), size);
        Ok(ids(&found.await?.orders))
    }

    async fn search(
        &self,
        store: StoreId,
        filter: SearchFilter,
        start: Start,
        size: u32,
    ) -> Result<SearchResult, CaseError> {
        Ok(self
            .orders
            .search(
                store,
                &SearchQuery {
                    filter,
                    start,
                    size,
                    bytes: u64::MAX,
                },
            )
            .await?)
    }

    /// Returns new random content for `order`, without changing its immutable parts.
    pub(crate) fn rewritten(&mut self, order: &Order) -> Result<OrderParts, CaseError> {
        let before = order.parts();
        let new = self.random.order(before.store_id, &before.order_id)?;
        Ok(OrderParts {
            id: before.id,
            source: before.source,
            fingerprint: before.fingerprint.clone(),
            currency: before.currency,
            ..new
        })
    }
}

/// The outer error is the suite's, the inner error the repository's.
pub(crate) async fn create(
    orders: &Arc<dyn OrderRepository>,
    parts: OrderParts,
) -> Result<Result<Order, RepositoryError>, CaseError> {
    Ok(orders.write(OrderWrite::create(placed(parts)?)).await)
}

pub(crate) async fn update(
    orders: &Arc<dyn OrderRepository>,
    change: &Change,
) -> Result<Order, RepositoryError> {
    orders.write(OrderWrite::change(change.clone())).await
}

fn ids(orders: &[Order]) -> Vec<OrderId> {
    orders.iter().map(|order| order.parts().id).collect()
}
