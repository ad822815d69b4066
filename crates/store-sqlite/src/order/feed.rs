//! The statements that read a store's events with their orders.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use async_trait::async_trait;
use diesel::Connection as _;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::Result;
use pressline_domain::event::{Event, EventChain, EventFeed, FeedBatch, FeedQuery};
use pressline_domain::order::OrderIdentity;
use pressline_domain::order::search::Batch;
use pressline_domain::value::StoreId;
use pressline_store_kit::{EventRow, Row, Sql, order_identity, restore_all, text_list};

use super::{counters, history, page};
use crate::SqliteStore;
use crate::error::Failure;
use crate::sql::each_row;

static FEED: Sql = Sql::new(include_str!("sql/feed.sql"));

/// Columns of `orders` that identify an order.
#[derive(Row)]
struct Identity {
    id: String,
    order_id: String,
    source: String,
    prefix: String,
    number: i64,
    currency: String,
    test: bool,
}

/// Event, size of its order in bytes, and identity of the order; `None` without an order.
type FeedRow = (EventRow, Option<i32>, Option<Identity>);

#[async_trait]
impl EventFeed for SqliteStore {
    #[tracing::instrument(name = "db.event.read", level = "debug", skip_all)]
    async fn read(&self, store: StoreId, query: &FeedQuery) -> Result<FeedBatch> {
        let (store_id, query) = (store.to_string(), query.clone());
        let read = move |connection: &mut SqliteConnection| {
            // One transaction, so that all statements see one snapshot.
            connection.transaction(|connection| read(connection, &store_id, &query))
        };
        self.readers.search(store, read).await
    }

    #[tracing::instrument(name = "db.event.chains", level = "debug", skip_all)]
    async fn chains(
        &self,
        store: StoreId,
        chains: &[EventChain],
        count: u32,
        bytes: u64,
    ) -> Result<Vec<Event>> {
        let (store_id, chains) = (store.to_string(), chains.to_vec());
        let read = move |connection: &mut SqliteConnection| {
            history::chains(connection, &store_id, &chains, (count, bytes))
        };
        self.readers.search(store, read).await
    }

    #[tracing::instrument(name = "db.event.first_after", level = "debug", skip_all)]
    async fn first_after(&self, store: StoreId, after: u64) -> Result<Option<u64>> {
        self.cold().first_after(store, after).await
    }

    #[tracing::instrument(name = "db.event.last_sequences", level = "debug", skip_all)]
    async fn last_sequences(&self, stores: &BTreeSet<StoreId>) -> Result<BTreeMap<StoreId, u64>> {
        self.cold().last_sequences(stores).await
    }
}

/// Must run in a transaction, so that all statements read the same snapshot.
fn read(
    connection: &mut SqliteConnection,
    store_id: &str,
    query: &FeedQuery,
) -> Result<FeedBatch, Failure> {
    let mut batch = FeedBatch {
        last_sequence: counters::last_sequence(connection, store_id)?,
        ..FeedBatch::default()
    };
    let names = query.filter.type_names();
    let types = names.map(|types| text_list(&types)).transpose()?;
    let order_id = query.filter.order.map(|order| order.to_string());
    let values = [
        ("store_id", store_id.into()),
        ("after", query.after.into()),
        ("until", query.until().into()),
        ("types", types.into()),
        ("order_id", order_id.into()),
    ];
    let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
    let mut bytes = Batch::new(query.bytes);
    let mut orders: Vec<String> = Vec::new();
    let mut known = BTreeSet::new();
    let (mut events, mut identities): (Vec<EventRow>, Vec<Identity>) = Default::default();
    // Row by row, so that reading stops as soon as the batch is full.
    each_row(
        connection,
        &FEED,
        &values,
        |(event, size, order): FeedRow| {
            // An order is read, and its size counted, with the first of its events.
            let new = order.filter(|order| !known.contains(&order.id));
            let size = size
                .filter(|_| query.whole_orders && new.is_some())
                .and_then(|size| u64::try_from(size).ok());
            if events.len() == limit || !bytes.takes(event.bytes() + size.unwrap_or_default()) {
                batch.is_full = true;
                return Ok(ControlFlow::Break(()));
            }
            if let Some(order) = new {
                known.insert(order.id.clone());
                if query.whole_orders {
                    orders.push(order.id);
                } else {
                    identities.push(order);
                }
            }
            events.push(event);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    batch.events = restore_all(events, EventRow::restore_any)?;
    batch.identities = restore_all(identities, |row| restored(store_id, row))?;
    if query.whole_orders {
        // Without a limit, because the sizes have been counted above.
        batch.orders = page::with_ids(connection, store_id, &orders, u64::MAX)?;
    }
    Ok(batch)
}

fn restored(store_id: &str, row: Identity) -> Result<OrderIdentity> {
    let Identity {
        id,
        order_id,
        source,
        prefix,
        number,
        currency,
        test,
    } = row;
    let row = (id, order_id, source, prefix, number, currency, test);
    order_identity(store_id, row)
}
