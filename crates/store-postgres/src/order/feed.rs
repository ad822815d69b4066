//! The statements that read a store's events with their orders.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use diesel::pg::PgConnection;
use pressline_domain::error::Result;
use pressline_domain::event::{Event, EventChain, EventFeed, FeedBatch, FeedQuery};
use pressline_domain::order::OrderIdentity;
use pressline_domain::value::StoreId;
use pressline_store_kit::{
    EventRow, IdentityRow, OrderRow, Row, Sql, StateRow, order_identity, restore_all,
};

use super::find::{Documents, restore};
use crate::PostgresStore;
use crate::arrays::{Kind, Values, array, array_or_null, load};
use crate::error::Failure;

/// Row of [`FEED`].
#[derive(Row)]
#[row(read)]
struct FeedRow {
    /// Sequence of the store's last event.
    last_sequence: i64,
    /// Sequence of a matching event; `None` in the only row if no event matches.
    sequence: Option<i64>,
    /// The event; `None` if it exceeds the byte limit of the query, or if no event matches.
    event: Option<EventRow>,
    /// The order of the event, if the event is the first event of the order on the page and both fit
    /// the byte limit. `state` and `documents` are parts of the order.
    order: Option<OrderRow>,
    state: Option<StateRow>,
    documents: Documents,
}

/// Row of [`FEED_IDENTITIES`], like [`FeedRow`] with the identity of the order.
#[derive(Row)]
#[row(read)]
struct IdentityFeedRow {
    last_sequence: i64,
    sequence: Option<i64>,
    event: Option<EventRow>,
    order: Option<Identity>,
}

/// Identity of an order, with the names of the columns of `orders`.
#[derive(Row)]
#[row(read)]
struct Identity {
    id: String,
    order_id: String,
    source: String,
    prefix: String,
    number: i64,
    currency: String,
    test: bool,
}

pub(crate) static FEED: Sql = Sql::new(include_str!("sql/feed.sql"));
pub(crate) static FEED_IDENTITIES: Sql = Sql::new(include_str!("sql/feed_identities.sql"));
static CHAINS: Sql = Sql::new(include_str!("sql/chains.sql"));

/// Parameters of [`FEED`] and [`FEED_IDENTITIES`].
pub(crate) struct FeedValues<'a> {
    pub(crate) store_id: &'a str,
    pub(crate) after: i64,
    pub(crate) until: i64,
    pub(crate) types: Option<&'a [&'static str]>,
    pub(crate) order_id: Option<&'a str>,
    pub(crate) limit: i64,
    pub(crate) bytes: i64,
}

impl<'a> FeedValues<'a> {
    pub(crate) fn values(&self) -> Values<'a> {
        let types = self.types.map(|types| types.iter().copied());
        vec![
            ("store_id", self.store_id.into()),
            ("after", self.after.into()),
            ("until", self.until.into()),
            ("types", array_or_null(Kind::Text, types)),
            ("order_id", self.order_id.into()),
            ("limit", self.limit.into()),
            ("bytes", self.bytes.into()),
        ]
    }
}

/// Events of several orders: `orders`, `latest` and `untils` have an element for each chain.
pub(crate) struct Chains<'a> {
    pub(crate) store_id: &'a str,
    pub(crate) orders: &'a [String],
    pub(crate) latest: &'a [i64],
    pub(crate) untils: &'a [i64],
    pub(crate) count: i32,
    pub(crate) bytes: i64,
}

impl<'a> Chains<'a> {
    pub(crate) fn statement(&self) -> (&'static Sql, Values<'a>) {
        let values = vec![
            ("store_id", self.store_id.into()),
            ("orders", array(Kind::Text, self.orders)),
            ("latest", array(Kind::BigInt, self.latest)),
            ("untils", array(Kind::BigInt, self.untils)),
            ("count", self.count.into()),
            ("bytes", self.bytes.into()),
        ];
        (&CHAINS, values)
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
    let values = FeedValues {
        store_id,
        after: number(query.after),
        until: number(query.until()),
        types: types.as_deref(),
        order_id: order_id.as_deref(),
        limit: i64::from(query.limit),
        bytes: number(query.bytes),
    }
    .values();
    let (mut batch, mut matches) = (FeedBatch::default(), 0);
    if query.whole_orders {
        for row in load::<FeedRow>(connection, &FEED, &values)? {
            matches += u32::from(row.sequence.is_some());
            add_event(&mut batch, row.last_sequence, row.sequence, row.event)?;
            if let Some((order, state)) = row.order.zip(row.state) {
                batch.orders.push(restore(order, state, row.documents)?);
            }
        }
    } else {
        let mut known = BTreeSet::new();
        for row in load::<IdentityFeedRow>(connection, &FEED_IDENTITIES, &values)? {
            matches += u32::from(row.sequence.is_some());
            add_event(&mut batch, row.last_sequence, row.sequence, row.event)?;
            // Each identity is returned once, with the first event of its order.
            if let Some(order) = row.order.filter(|order| known.insert(order.id.clone())) {
                batch.identities.push(order.restore(store_id)?);
            }
        }
    }
    batch.is_full |= matches >= query.limit;
    Ok(batch)
}

impl Identity {
    fn restore(self, store_id: &str) -> Result<OrderIdentity> {
        let row: IdentityRow = (
            self.id,
            self.order_id,
            self.source,
            self.prefix,
            self.number,
            self.currency,
            self.test,
        );
        order_identity(store_id, row)
    }
}

fn add_event(
    batch: &mut FeedBatch,
    last_sequence: i64,
    sequence: Option<i64>,
    event: Option<EventRow>,
) -> Result<()> {
    batch.last_sequence = u64::try_from(last_sequence).unwrap_or_default();
    match event {
        Some(event) => batch.events.push(event.restore_any()?),
        // An event that is too large for the batch, or the row of a feed without events.
        None => batch.is_full |= sequence.is_some(),
    }
    Ok(())
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
    let chains = Chains {
        store_id,
        orders: &orders,
        latest: &latest,
        untils: &untils,
        count: i32::try_from(count).unwrap_or(i32::MAX),
        bytes: number(bytes),
    };
    let (text, values) = chains.statement();
    restore_all(load(connection, text, &values)?, EventRow::restore)
}

fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
