//! Implements [`OrderRepository`] and [`OrderQueue`] in PostgreSQL.

pub(crate) mod across_stores;
pub(crate) mod feed;
pub(crate) mod find;
pub(crate) mod history;
pub(crate) mod key;
pub(crate) mod lists;
pub(crate) mod page;
pub(crate) mod page_row;
mod search_page;
pub(crate) mod status;
pub(crate) mod write;
mod writer;

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use pressline_backoffice::queue::{CrossStoreQuery, ItemCount, ItemCounts, OrderQueue, OrderRef};
use pressline_domain::error::Result;
use pressline_domain::event::Event;
use pressline_domain::order::search::{SearchQuery, SearchResult};
use pressline_domain::order::{
    DueOrder, FastForward, FastForwardResult, Lookup, Order, OrderMatch, OrderRepository,
    OrderWrite, ShipmentLookup, ShipmentMatch,
};
use pressline_domain::value::{OrderId, ServiceOrderId, StoreId, Timestamp};
use pressline_store_kit::{ChangeRows, OPERATORS, OrderJob, StatusFilter, Window};

use crate::PostgresStore;
use crate::migrations::MIGRATIONS;
use crate::words;

pub(crate) use find::Finder;
pub(crate) use write::WriteOutcome;
pub(crate) use write::chunk::ORDERS as ORDERS_OF_CHUNK;
pub(crate) use writer::Writer;

use key::Key;
use page_row::Search;

#[async_trait]
impl OrderRepository for PostgresStore {
    #[tracing::instrument(name = "db.order.write", level = "debug", skip_all)]
    async fn write(&self, write: OrderWrite) -> Result<Order> {
        match self
            .writes
            .write(OrderJob::new(write, words::joined)?)
            .await?
        {
            WriteOutcome::Stored(order) => Ok(order),
            WriteOutcome::Unsettled(change) => self.apply_alone(change).await,
        }
    }

    fn check_room(&self, store: StoreId) -> Result<()> {
        self.writes.check_room(store)
    }

    #[tracing::instrument(name = "db.order.find", level = "debug", skip_all)]
    async fn find(&self, store: StoreId, lookup: &Lookup) -> Result<Option<OrderMatch>> {
        self.finder.find(store, lookup).await
    }

    #[tracing::instrument(name = "db.order.service_order_id", level = "debug", skip_all)]
    async fn service_order_id(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        id: OrderId,
    ) -> Result<Option<ServiceOrderId>> {
        self.cold().service_order_id(stores, id).await
    }

    #[tracing::instrument(name = "db.order.search", level = "debug", skip_all)]
    async fn search(&self, store: StoreId, query: &SearchQuery) -> Result<SearchResult> {
        let store_id = store.to_string();
        let window = Window::new(query);
        let key = query.filter.key.as_ref().map(Key::new);
        let bitmask = StatusFilter::new(&query.filter);
        let (pool, portion) = (Arc::clone(&self.pool), self.portion);
        self.pool
            .search(store, move |connection| {
                let search = Search {
                    store_id: &store_id,
                    window: &window,
                    portion,
                    // Read here: only a connection finds out whether there are nodes.
                    nodes: pool.nodes(),
                };
                search_page::search(connection, &search, key.as_ref(), bitmask)
            })
            .await
    }

    #[tracing::instrument(name = "db.order.load", level = "debug", skip_all)]
    async fn load(&self, store: StoreId, ids: &[OrderId], bytes: u64) -> Result<Vec<Order>> {
        let store_id = store.to_string();
        let ids: Vec<String> = ids.iter().map(OrderId::to_string).collect();
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        self.pool
            .search(store, move |connection| {
                find::by_ids(connection, &store_id, &ids, bytes)
            })
            .await
    }

    #[tracing::instrument(name = "db.order.events", level = "debug", skip_all)]
    async fn events(
        &self,
        store: StoreId,
        order: OrderId,
        latest: u64,
        count: u32,
    ) -> Result<Vec<Event>> {
        let (store_id, id) = (store.to_string(), order.to_string());
        self.pool
            .call(move |connection, _| history::events(connection, (&store_id, &id), latest, count))
            .await
    }

    #[tracing::instrument(name = "db.order.take_due", level = "debug", skip_all)]
    async fn take_due(
        &self,
        now: Timestamp,
        until: Timestamp,
        count: u32,
    ) -> Result<Vec<DueOrder>> {
        let pool = Arc::clone(&self.pool);
        self.pool
            .call(move |connection, _| {
                across_stores::take(connection, now, until, count, pool.nodes())
            })
            .await
    }

    #[tracing::instrument(name = "db.order.bring_nearer", level = "debug", skip_all)]
    async fn fast_forward(&self, store: StoreId, range: &FastForward) -> Result<FastForwardResult> {
        self.cold().fast_forward(store, *range).await
    }

    #[tracing::instrument(name = "db.order.find_shipments", level = "debug", skip_all)]
    async fn find_shipments(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        lookup: &ShipmentLookup,
        count: u32,
    ) -> Result<Vec<ShipmentMatch>> {
        self.cold().find_shipments(stores, lookup, count).await
    }

    #[tracing::instrument(name = "db.order.ping", level = "debug", skip_all)]
    async fn ping(&self) -> Result<()> {
        self.pool
            .call(|connection, _| MIGRATIONS.check(connection))
            .await?;
        self.writes.check(Writer::probe).await
    }
}

#[async_trait]
impl OrderQueue for PostgresStore {
    #[tracing::instrument(name = "db.queue.query", level = "debug", skip_all)]
    async fn page(&self, query: &CrossStoreQuery) -> Result<Vec<OrderRef>> {
        let (query, pool) = (query.clone(), Arc::clone(&self.pool));
        self.pool
            .search(OPERATORS, move |connection| {
                across_stores::page(connection, &query, pool.nodes().scope())
            })
            .await
    }

    #[tracing::instrument(name = "db.queue.count_items", level = "debug", skip_all)]
    async fn count_items(&self, count: &ItemCount) -> Result<ItemCounts> {
        let (count, pool) = (count.clone(), Arc::clone(&self.pool));
        self.pool
            .search(OPERATORS, move |connection| {
                across_stores::count_items(connection, &count, pool.nodes().scope())
            })
            .await
    }
}

impl PostgresStore {
    /// Applies a change that its write group could not apply. Waits for a lock on the order.
    async fn apply_alone(&self, change: Box<ChangeRows>) -> Result<Order> {
        let pool = Arc::clone(&self.pool);
        self.pool
            .call(move |connection, in_doubt| {
                let refusal = match write::update_alone(connection, &change, pool.nodes())? {
                    Ok(sequence) => return Ok(change.stored(sequence)),
                    Err(refusal) => refusal,
                };
                // A connection was lost meanwhile: the stored order may already be the result of
                // this change.
                if in_doubt || change.in_doubt {
                    let stored = find::by_id(connection, change.store_id(), change.id())?;
                    if let Some(stored) = stored.filter(|order| change.has_made(order)) {
                        return Ok(stored);
                    }
                }
                Err(refusal.into())
            })
            .await
    }
}
