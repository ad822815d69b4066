//! Implements [`OrderRepository`] and [`OrderQueue`] in SQLite.

pub(crate) mod across_stores;
mod change;
mod chunk;
mod counters;
pub(crate) mod feed;
mod history;
mod hits;
pub(crate) mod matching;
pub(crate) mod page;
mod row_ids;
pub(crate) mod select;
mod status;
mod write;
mod writer;

use std::collections::BTreeSet;

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
use pressline_store_kit::{OPERATORS, OrderJob, StatusFilter, Window};

use crate::SqliteStore;
use crate::migrations::MIGRATIONS;
use crate::words;

pub(crate) use chunk::ORDERS as ORDERS_OF_CHUNK;
pub(crate) use write::write;
pub(crate) use writer::Writer;

#[async_trait]
impl OrderRepository for SqliteStore {
    #[tracing::instrument(name = "db.order.write", level = "debug", skip_all)]
    async fn write(&self, write: OrderWrite) -> Result<Order> {
        let job = OrderJob::new(write, words::joined)?;
        self.writer.write(job).await
    }

    fn check_room(&self, store: StoreId) -> Result<()> {
        self.writer.check_room(store)
    }

    #[tracing::instrument(name = "db.order.find", level = "debug", skip_all)]
    async fn find(&self, store: StoreId, lookup: &Lookup) -> Result<Option<OrderMatch>> {
        let (store_id, lookup) = (store.to_string(), lookup.clone());
        self.readers
            .call(move |connection| select::find(connection, &store_id, &lookup))
            .await
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
        let (store_id, key) = (store.to_string(), query.filter.key.clone());
        let (window, bitmask) = (Window::new(query), StatusFilter::new(&query.filter));
        self.readers
            .search(store, move |connection| {
                select::search(connection, &store_id, (key.as_ref(), bitmask), &window)
            })
            .await
    }

    #[tracing::instrument(name = "db.order.load", level = "debug", skip_all)]
    async fn load(&self, store: StoreId, ids: &[OrderId], bytes: u64) -> Result<Vec<Order>> {
        let store_id = store.to_string();
        let ids: Vec<String> = ids.iter().map(OrderId::to_string).collect();
        self.readers
            .search(store, move |connection| {
                select::by_ids(connection, &store_id, &ids, bytes)
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
        self.readers
            .call(move |connection| history::events(connection, (&store_id, &id), latest, count))
            .await
    }

    #[tracing::instrument(name = "db.order.take_due", level = "debug", skip_all)]
    async fn take_due(
        &self,
        now: Timestamp,
        until: Timestamp,
        count: u32,
    ) -> Result<Vec<DueOrder>> {
        // Looked up on a reading connection, so that idle servers do not disturb the writing
        // connection.
        let stores = self
            .readers
            .call(move |connection| across_stores::due_stores(connection, now, count))
            .await?;
        if stores.is_empty() {
            return Ok(Vec::new());
        }
        let take = move |writer: &mut Writer| {
            writer.run(|connection| across_stores::take(connection, &stores, now, until, count))
        };
        self.writer.alone(take).await
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
        self.opener.watch().check()?;
        self.readers
            .call(|connection| MIGRATIONS.check(connection))
            .await?;
        self.writer.check(Writer::probe).await
    }
}

#[async_trait]
impl OrderQueue for SqliteStore {
    #[tracing::instrument(name = "db.queue.query", level = "debug", skip_all)]
    async fn page(&self, query: &CrossStoreQuery) -> Result<Vec<OrderRef>> {
        let query = query.clone();
        self.readers
            .search(OPERATORS, move |connection| {
                across_stores::page(connection, &query)
            })
            .await
    }

    #[tracing::instrument(name = "db.queue.count_items", level = "debug", skip_all)]
    async fn count_items(&self, count: &ItemCount) -> Result<ItemCounts> {
        let count = count.clone();
        self.readers
            .search(OPERATORS, move |connection| {
                across_stores::count_items(connection, &count)
            })
            .await
    }
}
