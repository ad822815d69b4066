//! Queries for the orders of several stores, for operators.

use std::sync::LazyLock;

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, SmallInt, Text};
use pressline_backoffice::queue::{CrossStoreQuery, Direction, OrderRef, StoreFilter};
use pressline_store_kit::{Db, SqlText, StatusFilter, order_ref, restore_all, statement};

use crate::dialect::DIALECT;
use crate::error::Failure;
use crate::order::key::Key;
use crate::words;

/// Minimum number of orders that a search compares with the search key before it reads the word
/// index. If the key is common, enough of the compared orders match to fill the page.
const COMPARED: u32 = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    All,
    /// Orders with and without a match; the column `is_hit` is `true` for a match.
    WithWords,
    /// Only orders that match the search key, found by the word index.
    ByWords,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    source: Source,
    direction: Direction,
    /// Whether each part of the statement names a single store, because the tables are distributed.
    of_one: bool,
}

/// SQL parts of queries about several stores; [`OF_ONE`] has the parts for a single store.
pub(super) const OF_ANY: [(&str, &str); 8] = [
    (
        "asked",
        "SELECT store_id FROM stores WHERE (:with_test OR NOT test) AND (:every OR store_id = ANY(:stores))",
    ),
    ("asked.store", "asked.store_id"),
    ("bitmasks.store", "bitmasks.store_id"),
    ("nearest.store", "nearest.store_id"),
    ("first_orders.store", "first_orders.store_id"),
    ("chunks.store", "chunks.store_id"),
    ("hits.store", "hits.store_id"),
    ("of_store", ""),
];
pub(super) const OF_ONE: [(&str, &str); 8] = [
    (
        "asked",
        "SELECT store_id FROM event_counters WHERE event_counters.store_id = :store_id",
    ),
    ("asked.store", ":store_id"),
    ("bitmasks.store", ":store_id"),
    ("nearest.store", ":store_id"),
    ("first_orders.store", ":store_id"),
    ("chunks.store", ":store_id"),
    ("hits.store", ":store_id"),
    // Routes the statement to the node of the store. See `SelectMatchingOnNode`.
    ("of_store", "order_words.store_id = :store_id AND"),
];

impl Form {
    fn text(self) -> SqlText {
        let query = include_str!("../sql/across_stores.sql");
        let of_all = include_str!("../sql/across_all_stores.sql");
        let text = match self.source {
            Source::All => format!("{query}{of_all}"),
            Source::WithWords => format!(
                "{query}{}",
                include_str!("../sql/across_stores_with_words.sql")
            ),
            Source::ByWords => format!(
                "{}{of_all}",
                include_str!("../sql/across_stores_by_words.sql")
            ),
        };
        let stores = if self.of_one { &OF_ONE } else { &OF_ANY };
        let (direction, behind) = match self.direction {
            Direction::OldestFirst => ("ASC", ">"),
            Direction::NewestFirst => ("DESC", "<"),
        };
        let parts = [
            &stores[..],
            &words::PARTS,
            &[("direction", direction), ("behind", behind)],
        ]
        .concat();
        SqlText::new(&text, &parts)
    }

    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let sources = [Source::All, Source::WithWords, Source::ByWords].into_iter();
        sources.flat_map(|source| {
            let directions = [Direction::OldestFirst, Direction::NewestFirst];
            directions.into_iter().flat_map(move |direction| {
                [false, true].map(|of_one| Self {
                    source,
                    direction,
                    of_one,
                })
            })
        })
    }
}

static TEXTS: LazyLock<Vec<(Form, SqlText)>> =
    LazyLock::new(|| Form::all().map(|form| (form, form.text())).collect());

statement! {
    pub(crate) struct SelectAcrossStores<'a> for Pg, returns (Text, Text, Integer, Bool),
    chosen by form: Form, texts TEXTS,
    {
        with_test: bool = Bool,
        /// Whether all stores are queried instead of `stores`.
        every: bool = Bool,
        stores: &'a [String] = Array<Text>,
        store_id: &'a str = Text,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
        tsquery: &'a str = Text,
        statuses: i16 = SmallInt,
        kinds: i16 = SmallInt,
        count: i64 = BigInt,
    }
}

/// Columns of [`SelectAcrossStores`]: store, id and size in bytes of an order, and whether the
/// order matches the key.
type CrossStoreRow = (String, String, i32, bool);

pub(super) struct StoreParameters {
    pub(super) with_test: bool,
    pub(super) every: bool,
    pub(super) stores: Vec<String>,
    /// Whether each statement names a single store, because the tables are distributed.
    one_by_one: bool,
}

impl StoreParameters {
    pub(super) fn new(
        connection: &mut PgConnection,
        filter: &StoreFilter,
        one_by_one: bool,
    ) -> QueryResult<Self> {
        let named = filter.set.iter().flatten().map(ToString::to_string);
        let stores = match one_by_one {
            true => Db::new(connection, &DIALECT).store_ids(filter)?,
            false => named.collect(),
        };
        Ok(Self {
            with_test: filter.with_test,
            every: filter.set.is_none(),
            stores,
            one_by_one,
        })
    }
}

/// Sends a statement for each store if `one_by_one` is `true`.
pub(crate) fn page(
    connection: &mut PgConnection,
    query: &CrossStoreQuery,
    one_by_one: bool,
) -> Result<Vec<OrderRef>, Failure> {
    let parameters = StoreParameters::new(connection, &query.stores, one_by_one)?;
    let key = query.key.as_ref().map(Key::new);
    let tsquery = key.as_ref().map_or("", |key| &key.tsquery);
    let count = usize::try_from(query.count).unwrap_or(usize::MAX);
    let mut rows = match query.key {
        None => read(connection, query, &parameters, (Source::All, tsquery))?,
        Some(_) => {
            let compared = CrossStoreQuery {
                count: query.count.max(COMPARED),
                ..query.clone()
            };
            let mut rows = read(
                connection,
                &compared,
                &parameters,
                (Source::WithWords, tsquery),
            )?;
            // Fewer rows than asked for: all orders of the query have been compared.
            let are_all = rows.len() < usize::try_from(compared.count).unwrap_or(usize::MAX);
            rows.retain(|(.., is_hit)| *is_hit);
            match are_all || rows.len() >= count {
                true => rows,
                false => read(connection, query, &parameters, (Source::ByWords, tsquery))?,
            }
        }
    };
    // `WithWords` may have found more matches than the query wants.
    rows.truncate(count);
    restore_all(rows, |(store, id, size, _)| order_ref(&store, &id, size))
}

fn read(
    connection: &mut PgConnection,
    query: &CrossStoreQuery,
    parameters: &StoreParameters,
    (source, tsquery): (Source, &str),
) -> QueryResult<Vec<CrossStoreRow>> {
    let filter = StatusFilter::choosing(&query.statuses, &query.kinds);
    let mut statement = SelectAcrossStores {
        form: Form {
            source,
            direction: query.direction,
            of_one: parameters.one_by_one,
        },
        with_test: parameters.with_test,
        every: parameters.every,
        stores: &parameters.stores,
        store_id: "",
        from_id: &query.from.to_string(),
        before_id: &query.before.to_string(),
        tsquery,
        statuses: filter.statuses,
        kinds: filter.kinds,
        count: i64::from(query.count),
    };
    if !parameters.one_by_one {
        return statement.load(connection);
    }
    let mut rows: Vec<CrossStoreRow> = Vec::new();
    for store_id in &parameters.stores {
        statement.store_id = store_id;
        rows.extend(statement.load::<CrossStoreRow>(connection)?);
    }
    rows.sort_unstable_by(|(_, a, ..), (_, b, ..)| match query.direction {
        Direction::OldestFirst => a.cmp(b),
        Direction::NewestFirst => b.cmp(a),
    });
    rows.truncate(usize::try_from(query.count).unwrap_or(usize::MAX));
    Ok(rows)
}
