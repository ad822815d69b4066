//! Queries for the orders of several stores, for operators.

use std::sync::LazyLock;

use diesel::pg::PgConnection;
use diesel::prelude::*;
use pressline_backoffice::queue::{CrossStoreQuery, Direction, OrderRef, StoreFilter};
use pressline_store_kit::{Db, Row, Sql, StatementScope, StatusFilter, order_ref, restore_all};

use crate::arrays::{Kind, array, load};
use crate::dialect::DIALECT;
use crate::error::Failure;
use crate::order::key::Key;

/// Minimum number of orders that a search compares with the search key before it reads the word
/// index. If the key is common, enough of the compared orders match to fill the page.
const MIN_COMPARISONS: u32 = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    All,
    /// Orders with and without a match; the column `is_hit` is `true` for a match.
    WithWords,
    /// Only orders that match the search key, found by the word index.
    ByWords,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) source: Source,
    pub(crate) direction: Direction,
    pub(crate) scope: StatementScope,
}

/// The texts of a statement for both directions.
struct Directed {
    oldest_first: Sql,
    newest_first: Sql,
}

impl Directed {
    /// `{direction}` sorts in the direction; a row is `{behind}` the rows that come earlier.
    fn new(text: &str) -> Self {
        Self {
            oldest_first: Sql::with_parts(text, &[("{direction}", "ASC"), ("{behind}", ">")]),
            newest_first: Sql::with_parts(text, &[("{direction}", "DESC"), ("{behind}", "<")]),
        }
    }
}

static OF_ALL: LazyLock<Directed> =
    LazyLock::new(|| Directed::new(include_str!("../sql/across_stores.sql")));
static OF_ONE: LazyLock<Directed> =
    LazyLock::new(|| Directed::new(include_str!("../sql/across_store.sql")));
static WITH_WORDS_OF_ALL: LazyLock<Directed> =
    LazyLock::new(|| Directed::new(include_str!("../sql/across_stores_with_words.sql")));
static WITH_WORDS_OF_ONE: LazyLock<Directed> =
    LazyLock::new(|| Directed::new(include_str!("../sql/across_store_with_words.sql")));
static BY_WORDS_OF_ALL: LazyLock<Directed> =
    LazyLock::new(|| Directed::new(include_str!("../sql/across_stores_by_words.sql")));
static BY_WORDS_OF_ONE: LazyLock<Directed> =
    LazyLock::new(|| Directed::new(include_str!("../sql/across_store_by_words.sql")));

impl Form {
    pub(crate) fn sql(self) -> &'static Sql {
        let texts = match (self.source, self.scope) {
            (Source::All, StatementScope::AnyStores) => &OF_ALL,
            (Source::All, StatementScope::OneStore) => &OF_ONE,
            (Source::WithWords, StatementScope::AnyStores) => &WITH_WORDS_OF_ALL,
            (Source::WithWords, StatementScope::OneStore) => &WITH_WORDS_OF_ONE,
            (Source::ByWords, StatementScope::AnyStores) => &BY_WORDS_OF_ALL,
            (Source::ByWords, StatementScope::OneStore) => &BY_WORDS_OF_ONE,
        };
        match self.direction {
            Direction::OldestFirst => &texts.oldest_first,
            Direction::NewestFirst => &texts.newest_first,
        }
    }
}

#[derive(Row)]
#[row(read)]
struct CrossStoreRow {
    store_id: String,
    id: String,
    /// Size of the order, in bytes.
    size: i32,
    /// Whether the order matches the key.
    is_hit: bool,
}

pub(super) struct StoreParameters {
    pub(super) with_test: bool,
    pub(super) every: bool,
    pub(super) stores: Vec<String>,
    scope: StatementScope,
}

impl StoreParameters {
    pub(super) fn new(
        connection: &mut PgConnection,
        filter: &StoreFilter,
        scope: StatementScope,
    ) -> QueryResult<Self> {
        let store_ids = filter.set.iter().flatten().map(ToString::to_string);
        let stores = match scope {
            StatementScope::OneStore => Db::new(connection, &DIALECT).store_ids(filter)?,
            StatementScope::AnyStores => store_ids.collect(),
        };
        Ok(Self {
            with_test: filter.with_test,
            every: filter.set.is_none(),
            stores,
            scope,
        })
    }
}

/// Sends a statement for each store if a statement may use only one.
pub(crate) fn page(
    connection: &mut PgConnection,
    query: &CrossStoreQuery,
    scope: StatementScope,
) -> Result<Vec<OrderRef>, Failure> {
    let parameters = StoreParameters::new(connection, &query.stores, scope)?;
    let key = query.key.as_ref().map(Key::new);
    let tsquery = key.as_ref().map_or("", |key| &key.tsquery);
    let count = usize::try_from(query.count).unwrap_or(usize::MAX);
    let mut rows = match query.key {
        None => read(connection, query, &parameters, (Source::All, tsquery))?,
        Some(_) => {
            let compared = CrossStoreQuery {
                count: query.count.max(MIN_COMPARISONS),
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
            rows.retain(|row| row.is_hit);
            match are_all || rows.len() >= count {
                true => rows,
                false => read(connection, query, &parameters, (Source::ByWords, tsquery))?,
            }
        }
    };
    // `WithWords` may have found more matches than the query wants.
    rows.truncate(count);
    restore_all(rows, |row| order_ref(&row.store_id, &row.id, row.size))
}

fn read(
    connection: &mut PgConnection,
    query: &CrossStoreQuery,
    parameters: &StoreParameters,
    (source, tsquery): (Source, &str),
) -> QueryResult<Vec<CrossStoreRow>> {
    let filter = StatusFilter::choosing(&query.statuses, &query.kinds);
    let form = Form {
        source,
        direction: query.direction,
        scope: parameters.scope,
    };
    let window = (query.from.to_string(), query.before.to_string());
    let mut values = vec![
        ("with_test", parameters.with_test.into()),
        ("every", parameters.every.into()),
        ("stores", array(Kind::Text, &parameters.stores)),
        ("from_id", (&window.0).into()),
        ("before_id", (&window.1).into()),
        ("tsquery", tsquery.into()),
        ("statuses", filter.statuses.into()),
        ("kinds", filter.kinds.into()),
        ("count", query.count.into()),
    ];
    if parameters.scope == StatementScope::AnyStores {
        return load(connection, form.sql(), &values);
    }
    let mut rows: Vec<CrossStoreRow> = Vec::new();
    for store_id in &parameters.stores {
        values.push(("store_id", store_id.into()));
        rows.extend(load::<CrossStoreRow>(connection, form.sql(), &values)?);
        values.pop();
    }
    rows.sort_unstable_by(|a, b| match query.direction {
        Direction::OldestFirst => a.id.cmp(&b.id),
        Direction::NewestFirst => b.id.cmp(&a.id),
    });
    rows.truncate(usize::try_from(query.count).unwrap_or(usize::MAX));
    Ok(rows)
}
