//! The statements that read a store's events with their orders.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, Text};
use pressline_domain::error::Result;
use pressline_domain::event::{Event, EventChain, EventFeed, FeedBatch, FeedQuery};
use pressline_domain::value::StoreId;
use pressline_store_kit::schema::{order_events, order_states, orders};
use pressline_store_kit::{
    EventRow, IdentityRow, OrderRow, SqlText, StateRow, order_identity, restore_all, statement,
};

use super::find::{Documents, DocumentsSql, PARTS, restore};
use crate::PostgresStore;
use crate::error::Failure;

/// Sequence of the store's last event; sequence of a matching event, `None` in the only row if no
/// event matches; the event, `None` if it exceeds the byte limit of the query, or if no event
/// matches; and columns of the event's order.
type FeedRow<O> = (i64, Option<i64>, Option<EventRow>, O);

type FeedSql<O> = (BigInt, Nullable<BigInt>, Nullable<order_events::SqlType>, O);

/// The order of an event; without values unless the event is the order's first event on the page
/// and both fit the byte limit.
type OrderColumns = (Option<OrderRow>, Option<StateRow>, Documents);

type OrderSql = (
    Nullable<orders::SqlType>,
    Nullable<order_states::SqlType>,
    DocumentsSql,
);

type IdentitySql = Nullable<(Text, Text, Text, Text, BigInt, Text, Bool)>;

const BYTES: (&str, &str) = ("bytes", include_str!("sql/event_bytes.sql"));
/// Parts that the SQL texts of [`SelectFeed`] and [`SelectIdentityFeed`] share. Parts are replaced
/// in this order: `page` contains [`BYTES`], so that [`BYTES`] comes last.
const OF_PAGE: [(&str, &str); 3] = [
    ("page", include_str!("sql/feed_page.sql")),
    ("event", include_str!("sql/feed_event.sql")),
    BYTES,
];

statement! {
    pub(crate) struct SelectFeed<'a> for Pg, returns FeedSql<OrderSql>,
    text SqlText::new(include_str!("sql/feed.sql"), &[&OF_PAGE, &PARTS[..]].concat()),
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
    pub(crate) struct SelectIdentityFeed<'a>(SelectFeed) for Pg, returns FeedSql<IdentitySql>,
    text SqlText::new(include_str!("sql/feed_identities.sql"), &OF_PAGE),
}

statement! {
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
    async fn read(&self, store: StoreId, query: &FeedQuery) -> Result<FeedBatch> {
        let (store_id, query) = (store.to_string(), query.clone());
        self.pool
            .search(store, move |connection| read(connection, &store_id, &query))
            .await
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
        self.pool
            .search(store, move |connection| {
                read_chains(connection, &store_id, &chains, count, bytes)
            })
            .await
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

fn read(
    connection: &mut PgConnection,
    store_id: &str,
    query: &FeedQuery,
) -> Result<FeedBatch, Failure> {
    let types = query.filter.type_names();
    let order_id = query.filter.order.map(|order| order.to_string());
    let statement = SelectFeed {
        store_id,
        after: number(query.after),
        until: number(query.until()),
        types: types.as_deref(),
        order_id: order_id.as_deref(),
        limit: i64::from(query.limit),
        bytes: number(query.bytes),
    };
    if query.whole_orders {
        let rows: Vec<FeedRow<OrderColumns>> = statement.load(connection)?;
        return batch(rows, query, |batch, (order, state, documents)| {
            if let Some((order, state)) = order.zip(state) {
                batch.orders.push(restore(order, state, documents)?);
            }
            Ok(())
        });
    }
    let rows: Vec<FeedRow<Option<IdentityRow>>> = SelectIdentityFeed(statement).load(connection)?;
    let mut known = BTreeSet::new();
    batch(rows, query, |batch, order| {
        // Each identity is returned once, with the first event of its order.
        if let Some(order) = order.filter(|order| known.insert(order.0.clone())) {
            batch.identities.push(order_identity(store_id, order)?);
        }
        Ok(())
    })
}

/// Adds the event of each row to a batch, and its order by `add_order`.
fn batch<O>(
    rows: Vec<FeedRow<O>>,
    query: &FeedQuery,
    mut add_order: impl FnMut(&mut FeedBatch, O) -> Result<()>,
) -> Result<FeedBatch, Failure> {
    let (mut batch, mut found) = (FeedBatch::default(), 0);
    for (last_sequence, sequence, event, order) in rows {
        batch.last_sequence = u64::try_from(last_sequence).unwrap_or_default();
        found += u32::from(sequence.is_some());
        match event {
            Some(event) => batch.events.push(event.restore_any()?),
            // An event that is too large for the batch, or the row of a feed without events.
            None => batch.is_full |= sequence.is_some(),
        }
        add_order(&mut batch, order)?;
    }
    batch.is_full |= found >= query.limit;
    Ok(batch)
}

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
    restore_all(statement.load(connection)?, EventRow::restore)
}

fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
