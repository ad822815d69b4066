//! The statements that read the events of a store, with their orders.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Integer, Nullable, Text};
use pressline_domain::error::RepositoryError;
use pressline_domain::event::{Event, EventChain, EventFeed, FeedBatch, FeedQuery};
use pressline_domain::id::StoreId;
use pressline_store_kit::schema::{order_events, order_states, orders};
use pressline_store_kit::{EventRow, OrderRow, SqlText, StateRow, last_sequences, statement};

use super::across_stores;
use super::find::{Documents, DocumentsSql, PARTS, restore};
use crate::PostgresStore;
use crate::error::Failure;

/// An event with its order, or the last sequence alone.
#[derive(Queryable)]
struct FeedRow {
    last_sequence: i64,
    /// `None` where no event matches.
    sequence: Option<i64>,
    /// `None` where the event is beyond the bytes that are read.
    event: Option<EventRow>,
    /// The order, with the first of its events.
    order: Option<OrderRow>,
    state: Option<StateRow>,
    documents: Documents,
}

type FeedSql = (
    BigInt,
    Nullable<BigInt>,
    Nullable<order_events::SqlType>,
    Nullable<orders::SqlType>,
    Nullable<order_states::SqlType>,
    DocumentsSql,
);

const BYTES: (&str, &str) = ("bytes", include_str!("sql/event_bytes.sql"));

statement! {
    /// Reads events of a store with their orders.
    pub(crate) struct SelectFeed<'a> for Pg, returns FeedSql,
    text SqlText::new(include_str!("sql/feed.sql"), &[&[BYTES], &PARTS[..]].concat()),
    {
        store_id: &'a str = Text,
        after: i64 = BigInt,
        until: i64 = BigInt,
        types: Option<&'a [&'static str]> = Nullable<Array<Text>>,
        order_id: Option<&'a str> = Nullable<Text>,
        limit: i64 = BigInt,
        bytes: i64 = BigInt,
    }
}

statement! {
    /// Reads events of several orders, chain by chain.
    pub(crate) struct SelectChains<'a> for Pg, returns order_events::SqlType,
    text SqlText::new(include_str!("sql/chains.sql"), &[BYTES]),
    {
        store_id: &'a str = Text,
        orders: &'a [String] = Array<Text>,
        latest: &'a [i64] = Array<BigInt>,
        untils: &'a [i64] = Array<BigInt>,
        count: i32 = Integer,
        bytes: i64 = BigInt,
    }
}

#[async_trait]
impl EventFeed for PostgresStore {
    #[tracing::instrument(name = "db.event.read", level = "debug", skip_all)]
    async fn read(&self, store: StoreId, query: &FeedQuery) -> Result<FeedBatch, RepositoryError> {
        let (store_id, query) = (store.to_string(), query.clone());
        let store = store_id.clone();
        self.pool
            .search(&store, move |connection| {
                read(connection, &store_id, &query)
            })
            .await
    }

    #[tracing::instrument(name = "db.event.chains", level = "debug", skip_all)]
    async fn chains(
        &self,
        store: StoreId,
        chains: &[EventChain],
        count: u32,
        bytes: u64,
    ) -> Result<Vec<Event>, RepositoryError> {
        let (store_id, chains) = (store.to_string(), chains.to_vec());
        let store = store_id.clone();
        self.pool
            .search(&store, move |connection| {
                read_chains(connection, &store_id, &chains, count, bytes)
            })
            .await
    }

    #[tracing::instrument(name = "db.event.last_sequences", level = "debug", skip_all)]
    async fn last_sequences(
        &self,
        stores: &BTreeSet<StoreId>,
    ) -> Result<BTreeMap<StoreId, u64>, RepositoryError> {
        let stores: Vec<String> = stores.iter().map(StoreId::to_string).collect();
        let rows = self
            .pool
            .call(move |connection, _| Ok(across_stores::last_sequences(connection, &stores)?));
        last_sequences(rows.await?)
    }
}

/// Reads events of a store with their orders.
fn read(
    connection: &mut PgConnection,
    store_id: &str,
    query: &FeedQuery,
) -> Result<FeedBatch, Failure> {
    let types: Vec<&str> = query
        .filter
        .types
        .iter()
        .map(|kind| kind.as_str())
        .collect();
    let order_id = query.filter.order.map(|order| order.to_string());
    let statement = SelectFeed {
        store_id,
        after: number(query.after),
        until: number(query.until()),
        types: Some(&types[..]).filter(|types| !types.is_empty()),
        order_id: order_id.as_deref(),
        limit: i64::from(query.limit),
        bytes: number(query.bytes),
    };
    let rows: Vec<FeedRow> = statement.load(connection)?;
    let mut batch = FeedBatch::default();
    let mut found: u32 = 0;
    for row in rows {
        batch.last_sequence = u64::try_from(row.last_sequence).unwrap_or_default();
        found += u32::from(row.sequence.is_some());
        let Some(event) = row.event else {
            // An event that is too large for the batch, or the row of a feed without events.
            batch.is_full |= row.sequence.is_some();
            continue;
        };
        batch.events.push(event.restore()?);
        if let Some((order, state)) = row.order.zip(row.state) {
            batch.orders.push(restore(order, state, row.documents)?);
        }
    }
    batch.is_full |= found >= query.limit;
    Ok(batch)
}

/// Reads events of several orders, chain by chain.
fn read_chains(
    connection: &mut PgConnection,
    store_id: &str,
    chains: &[EventChain],
    count: u32,
    bytes: u64,
) -> Result<Vec<Event>, Failure> {
    let orders: Vec<String> = chains.iter().map(|chain| chain.order.to_string()).collect();
    let latest: Vec<i64> = chains.iter().map(|chain| number(chain.latest)).collect();
    let untils: Vec<i64> = chains.iter().map(|chain| number(chain.until)).collect();
    let statement = SelectChains {
        store_id,
        orders: &orders,
        latest: &latest,
        untils: &untils,
        count: i32::try_from(count).unwrap_or(i32::MAX),
        bytes: number(bytes),
    };
    let rows: Vec<EventRow> = statement.load(connection)?;
    let events = rows.into_iter().map(EventRow::restore);
    Ok(events.collect::<Result<_, _>>()?)
}

/// Returns a number of the domain as the database has it.
fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
