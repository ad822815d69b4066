//! The statements that read a store's events with their orders.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use diesel::connection::DefaultLoadingMode;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Integer, Nullable, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::error::Result;
use pressline_domain::event::{Event, EventChain, EventFeed, FeedBatch, FeedQuery};
use pressline_domain::order::search::Batch;
use pressline_domain::value::StoreId;
use pressline_store_kit::schema::order_events;
use pressline_store_kit::{EventRow, IdentityRow, SqlText, order_identity, statement, text_list};

use super::{counters, history, page};
use crate::SqliteStore;
use crate::error::Failure;

type FeedSql = (
    order_events::SqlType,
    Nullable<Integer>,
    Nullable<(Text, Text, Text, Text, BigInt, Text, Bool)>,
);

type FeedRow = (EventRow, Option<i32>, Option<IdentityRow>);

statement! {
    struct SelectFeed<'a> for Sqlite, returns FeedSql,
    text SqlText::new(include_str!("sql/feed.sql"), &[]),
    {
        store_id: &'a str = Text,
        after: i64 = BigInt,
        until: i64 = BigInt,
        /// Types of events, as a JSON list; `None` for all types.
        types: Option<&'a str> = Nullable<Text>,
        order_id: Option<&'a str> = Nullable<Text>,
    }
}

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
    let types = query.filter.type_names();
    let types = types.map(|types| text_list(&types)).transpose()?;
    let order_id = query.filter.order.map(|order| order.to_string());
    let statement = SelectFeed {
        store_id,
        after: i64::try_from(query.after).unwrap_or(i64::MAX),
        until: i64::try_from(query.until()).unwrap_or(i64::MAX),
        types: types.as_deref(),
        order_id: order_id.as_deref(),
    };
    let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
    let mut bytes = Batch::new(query.bytes);
    let mut orders: Vec<String> = Vec::new();
    let mut known = BTreeSet::new();
    // Row by row, so that reading stops as soon as the batch is full.
    for row in statement.load_iter::<FeedRow, DefaultLoadingMode>(connection)? {
        let (event, size, order) = row?;
        // An order is read, and its size counted, with the first of its events.
        let new = order.filter(|order| !known.contains(&order.0));
        let size = size.filter(|_| query.whole_orders && new.is_some());
        let size = size.and_then(|size| u64::try_from(size).ok());
        if batch.events.len() == limit || !bytes.takes(event.bytes() + size.unwrap_or_default()) {
            batch.is_full = true;
            break;
        }
        if let Some(order) = new {
            known.insert(order.0.clone());
            if query.whole_orders {
                orders.push(order.0);
            } else {
                let identity = order_identity(store_id, order)?;
                batch.identities.push(identity);
            }
        }
        batch.events.push(event.restore_any()?);
    }
    if query.whole_orders {
        // Without a limit, because the sizes have been counted above.
        batch.orders = page::with_ids(connection, store_id, &orders, u64::MAX)?;
    }
    Ok(batch)
}
