//! Orders in SQLite.

mod change;
mod chunk;
mod due;
mod history;
mod job;
mod matching;
mod rows;
mod select;
mod sequences;
mod write;
mod writer;

use async_trait::async_trait;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::Event;
use pressline_domain::id::{OrderId, StoreId};
use pressline_domain::order::search::{Found, SearchQuery};
use pressline_domain::order::{DueOrder, Lookup, Order, OrderRepository, OrderWrite};
use pressline_domain::time::Timestamp;
use pressline_store_kit::Window;

use crate::SqliteStore;

pub(crate) use chunk::{ORDERS as ORDERS_OF_CHUNK, begin_first as begin_first_chunk};
pub(crate) use job::Job;
pub(crate) use matching::SelectRowIds;
pub use select::PageOf;
pub(crate) use select::{SelectPage, find as find_order, search as search_orders};
pub(crate) use write::write;
pub(crate) use writer::Writer;

#[async_trait]
impl OrderRepository for SqliteStore {
    #[tracing::instrument(name = "db.order.write", level = "debug", skip_all)]
    async fn write(&self, write: OrderWrite) -> Result<Order, RepositoryError> {
        self.writer.write(Job::of(write)?).await
    }

    fn check_room(&self, store: StoreId) -> Result<(), RepositoryError> {
        self.writer.check_room(store)
    }

    #[tracing::instrument(name = "db.order.find", level = "debug", skip_all)]
    async fn find(
        &self,
        store: StoreId,
        lookup: &Lookup,
    ) -> Result<Option<Order>, RepositoryError> {
        let (store_id, lookup) = (store.to_string(), lookup.clone());
        self.readers
            .call(move |connection| select::find(connection, &store_id, &lookup))
            .await
    }

    #[tracing::instrument(name = "db.order.search", level = "debug", skip_all)]
    async fn search(&self, store: StoreId, query: &SearchQuery) -> Result<Found, RepositoryError> {
        let (store, store_id, key) = (
            store.to_string(),
            store.to_string(),
            query.filter.key.clone(),
        );
        let window = Window::of(query);
        self.readers
            .search(&store, move |connection| {
                select::search(connection, &store_id, key.as_ref(), &window)
            })
            .await
    }

    #[tracing::instrument(name = "db.order.load", level = "debug", skip_all)]
    async fn load(
        &self,
        store: StoreId,
        ids: &[OrderId],
        bytes: u64,
    ) -> Result<Vec<Order>, RepositoryError> {
        let store_id = store.to_string();
        let ids: Vec<String> = ids.iter().map(OrderId::to_string).collect();
        let store = store_id.clone();
        self.readers
            .search(&store, move |connection| {
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
    ) -> Result<Vec<Event>, RepositoryError> {
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
    ) -> Result<Vec<DueOrder>, RepositoryError> {
        let stores = self
            .readers
            .call(move |connection| due::stores(connection, now, count));
        let stores = stores.await?;
        if stores.is_empty() {
            return Ok(Vec::new());
        }
        let take = move |writer: &mut Writer| {
            writer.run(|connection| due::take(connection, &stores, now, until, count))
        };
        self.writer.alone(take).await
    }

    #[tracing::instrument(name = "db.order.ping", level = "debug", skip_all)]
    async fn ping(&self) -> Result<(), RepositoryError> {
        self.opener.watch().check()?;
        let pending = self.pending().await?;
        if pending.is_empty() {
            return self.writer.check(Writer::probe).await;
        }
        let message = format!("the database lacks migrations: {}", pending.join(", "));
        Err(RepositoryError::Unavailable(message.into()))
    }
}
