//! Statements of this crate for its own tests, which run them on one connection and check their
//! plans. Not part of the interface: it may change in any version.

mod across_stores;
#[path = "../../../store-kit/tests/fixtures/counter.rs"]
mod counter;
mod overview;
#[path = "../../../store-kit/tests/fixtures/port_statements.rs"]
mod port_statements;
mod statements;
mod word_lists;

use std::time::Duration;

use diesel::connection::Connection;
use diesel::pg::{Pg, PgConnection};
use diesel::query_builder::QueryFragment;
use pressline_domain::catalog::CatalogVersion;
use pressline_domain::catalog::ProductQuery;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::EndpointDisabled;
use pressline_domain::order::{Order, OrderWrite};
use pressline_domain::value::StoreId;
use pressline_kit::words::SearchKey;
use pressline_store_kit::{
    Db, Dialect, OrderJob, ProductWindow, Sql, Statement, StatusFilter, Window, WriteLimits,
    append_endpoint_event,
};

pub use pressline_store_kit::ProductsOf;

pub use counter::{RecordedTexts, StatementCounter, text_of};
pub use port_statements::{NamedStatement, PortStatements};
pub use statements::Samples;

pub use crate::citus::plans::{are_kept as keeps_plans, probe as probe_plans};
pub use crate::citus::tables::{BY_STORE, ON_EVERY_NODE};
pub use crate::order::key::Key;

use crate::arrays::Values;
use crate::catalog::search;
use crate::catalog::{OFFER, offer_values};
use crate::citus::Nodes;
use crate::dialect::DIALECT;
use crate::error::{self, Failure};
use crate::order::feed::{FEED, FEED_IDENTITIES, FeedValues};
use crate::order::find::{self, BY_ID, BY_NAME, BY_ORDER_ID};
use crate::order::lists::ListConfig;
use crate::order::lists::internals::build_one;
use crate::order::page_row::Search;
use crate::order::write::write;
use crate::order::{WriteOutcome, page, status};
use crate::{ConnectError, PostgresConfig, PostgresStore, Sizes, citus, words};

/// Differences of the shared statements' SQL from other databases.
pub const SHARED: &Dialect = &DIALECT;

/// Time limit that is reached only on an unusable machine. For tests that are not about time
/// limits.
const PATIENCE: Duration = Duration::from_secs(30);

/// Returns the defaults with generous time limits.
#[must_use]
pub fn patient() -> PostgresConfig {
    PostgresConfig {
        pool_wait: PATIENCE,
        writes: WriteLimits {
            backlog: PATIENCE,
            ..WriteLimits::default()
        },
        connect_timeout: PATIENCE,
        statement_timeout: PATIENCE,
        lock_timeout: PATIENCE,
        ..PostgresConfig::default()
    }
}

/// Connects a store whose word index has chunks of `orders` orders, so that a test has several
/// chunks. Its word lists have two chunks each, so that they are built soon.
///
/// # Errors
/// Same errors as [`PostgresStore::connect`].
pub fn with_chunks(
    url: &str,
    config: &PostgresConfig,
    orders: i64,
) -> Result<PostgresStore, ConnectError> {
    let sizes = Sizes {
        chunk: orders,
        portion: 3,
        lists: ListConfig {
            orders: 2 * orders,
            changes: 3,
            sweep: Duration::from_millis(20),
            pause: 1,
        },
    };
    PostgresStore::connect_with(url, config, sizes, None)
}

/// Connects a store that records the SQL of its statements in `texts`.
///
/// # Errors
/// Same errors as [`PostgresStore::connect`].
pub fn recording(
    url: &str,
    config: &PostgresConfig,
    texts: &RecordedTexts,
) -> Result<PostgresStore, ConnectError> {
    PostgresStore::connect_with(url, config, Sizes::default(), counter::recorded_in(texts))
}

/// Connects a store, and returns the counter of the statements of its calls.
///
/// # Errors
/// Same errors as [`PostgresStore::connect`].
pub fn counted(
    url: &str,
    config: &PostgresConfig,
) -> Result<(PostgresStore, StatementCounter), ConnectError> {
    let counter = StatementCounter::default();
    let store = PostgresStore::connect_with(url, config, Sizes::default(), counter.hook())?;
    Ok((store, counter))
}

/// Converts `key` to the form that page statements use.
#[must_use]
pub fn prepared(key: &SearchKey) -> Key {
    Key::new(key)
}

/// Statement that reads the order with the given `id`.
pub fn order_by_id<'a>(store_id: &'a str, id: &'a str) -> impl QueryFragment<Pg> + 'a {
    statement(
        &BY_ID,
        vec![("store_id", store_id.into()), ("id", id.into())],
    )
}

/// Statement that reads the order with the caller's `order_id`.
pub fn order_by_order_id<'a>(store_id: &'a str, order_id: &'a str) -> impl QueryFragment<Pg> + 'a {
    let values = vec![("store_id", store_id.into()), ("order_id", order_id.into())];
    statement(&BY_ORDER_ID, values)
}

/// Statement that reads the order with the caller's `order_id`, and the order with `number` or `id`.
pub fn order_by_name<'a>(
    store_id: &'a str,
    order_id: &'a str,
    number: Option<i64>,
    id: Option<&'a str>,
) -> impl QueryFragment<Pg> + 'a {
    let values = vec![
        ("store_id", store_id.into()),
        ("order_id", order_id.into()),
        ("number", number.into()),
        ("id", id.into()),
    ];
    statement(&BY_NAME, values)
}

/// Statement that reads several orders, each by store, `order_id`, and optional number or id.
pub fn orders_by_names<'a>(
    stores: &'a [String],
    order_ids: &'a [String],
    numbers: &'a [Option<i64>],
    ids: &'a [Option<String>],
) -> impl QueryFragment<Pg> + 'a {
    let (text, values) = find::names(stores, order_ids, numbers, ids);
    statement(text, values)
}

/// Statement that reads a full page of a store's events after the sequence `after`, with complete
/// orders. `types` filters by event type.
pub fn feed<'a>(
    store_id: &'a str,
    after: i64,
    types: Option<&'a [&'static str]>,
) -> impl QueryFragment<Pg> + 'a {
    statement(&FEED, page_of_events(store_id, after, types))
}

/// Same as [`feed`], without orders.
pub fn identity_feed<'a>(
    store_id: &'a str,
    after: i64,
    types: Option<&'a [&'static str]>,
) -> impl QueryFragment<Pg> + 'a {
    statement(&FEED_IDENTITIES, page_of_events(store_id, after, types))
}

fn page_of_events<'a>(
    store_id: &'a str,
    after: i64,
    types: Option<&'a [&'static str]>,
) -> Values<'a> {
    let feed = FeedValues {
        store_id,
        after,
        until: after + 10_000,
        types,
        order_id: None,
        limit: 500,
        bytes: 1 << 20,
    };
    feed.values()
}

/// Wraps text and values.
fn statement<'a>(text: &'static Sql, values: Values<'a>) -> impl QueryFragment<Pg> + 'a {
    Statement::new(text, values)
}

/// Adds `event` in a transaction of its own. Returns its sequence.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn add_endpoint_event(
    store: &PostgresStore,
    of: StoreId,
    event: EndpointDisabled,
) -> Result<u64, RepositoryError> {
    let add = move |connection: &mut PgConnection, _| {
        connection.transaction(|connection| {
            append_endpoint_event(&mut Db::new(connection, &DIALECT), of, &event)
        })
    };
    store.pool.call(add).await
}

/// Reads the order with the given `id`.
///
/// # Errors
/// Returns an error if the query fails.
pub fn find(
    connection: &mut PgConnection,
    store_id: &str,
    id: &str,
) -> Result<Option<Order>, RepositoryError> {
    find::by_id(connection, store_id, id).map_err(repository)
}

/// Statement that reads a page of the newest orders.
pub fn newest<'a>(store_id: &'a str, window: &'a Window) -> impl QueryFragment<Pg> + 'a {
    statement(&page::NEWEST, page::newest(store_id, window))
}

/// Statement that reads a page of the newest orders that match `key`.
pub fn matching<'a>(
    store_id: &'a str,
    key: &'a Key,
    window: &'a Window,
) -> impl QueryFragment<Pg> + 'a {
    statement(&page::MATCHING, page::matching(store_id, key, window))
}

/// Statement that reads a page of the newest orders with one of `statuses`, a bitmask.
pub fn of_status<'a>(
    store_id: &'a str,
    statuses: i16,
    window: &'a Window,
) -> impl QueryFragment<Pg> + 'a {
    let bitmask = StatusFilter {
        statuses,
        ..StatusFilter::ANY
    };
    statement(
        &status::OF_STATUS,
        status::of_status(store_id, bitmask, window),
    )
}

/// Returns the ids of a page of orders that match `key`, plus the id of the next order.
///
/// # Errors
/// Returns an error if the query fails.
pub fn page_ids(
    connection: &mut PgConnection,
    store_id: &str,
    key: &Key,
    window: &Window,
) -> Result<Vec<String>, RepositoryError> {
    let search = Search {
        store_id,
        window,
        portion: 1,
        nodes: Nodes::One,
    };
    let rows = search.with_words(connection, key).map_err(repository)?;
    Ok(rows.into_iter().filter_map(|row| row.id).collect())
}

/// Writes orders in one transaction. Returns the result of each write.
///
/// # Errors
/// Returns an error if the transaction fails.
pub fn write_group(
    connection: &mut PgConnection,
    writes: Vec<OrderWrite>,
) -> Result<Vec<Result<Order, RepositoryError>>, RepositoryError> {
    let job = |write| OrderJob::new(write, words::joined);
    let jobs: Result<Vec<OrderJob>, _> = writes.into_iter().map(job).collect();
    let results = write(connection, &mut jobs?, Nodes::One).map_err(repository)?;
    let stored = |done| match done {
        WriteOutcome::Stored(order) => Ok(order),
        WriteOutcome::Unsettled(_) => Err(RepositoryError::Refused("the row is locked".into())),
    };
    Ok(results
        .into_iter()
        .map(|result| result.and_then(stored))
        .collect())
}

/// Prepares `write` for [`write_jobs`].
///
/// # Errors
/// Returns an error if the order cannot be stored.
pub fn job(write: OrderWrite) -> Result<OrderJob, RepositoryError> {
    OrderJob::new(write, words::joined)
}

/// Writes `jobs` in one transaction, `by_functions` or by statements. Returns the result of each
/// job as text.
///
/// # Errors
/// Returns an error if the transaction fails.
pub fn write_jobs(
    connection: &mut PgConnection,
    jobs: &mut [OrderJob],
    by_functions: bool,
) -> Result<Vec<String>, RepositoryError> {
    if by_functions {
        citus::ensure(connection).map_err(|error| repository(error.into()))?;
    }
    let nodes = Nodes::new(by_functions);
    let results = write(connection, jobs, nodes).map_err(repository)?;
    Ok(results.iter().map(|result| format!("{result:?}")).collect())
}

/// Statement that reads prices, rates and fees for orders of `skus`. `have` is the catalog version
/// whose documents the caller has.
pub fn offer<'a>(
    store_id: &'a str,
    skus: &'a [String],
    have: Option<i64>,
) -> impl QueryFragment<Pg> + 'a {
    Statement::new(
        &OFFER,
        offer_values(store_id, skus, have.map(CatalogVersion)),
    )
}

/// Converts `key` to the search words of the product statement.
#[must_use]
pub fn words_of_products(key: &SearchKey) -> String {
    search::words_of_products(key)
}

/// Statement that reads a page of products.
#[must_use]
pub fn products<'a>(
    of: ProductsOf,
    store_id: &'a str,
    words: &'a str,
    query: &'a ProductQuery,
) -> impl QueryFragment<Pg> + 'a {
    let window = ProductWindow::new(query);
    Statement::new(
        search::page(of),
        search::page_values(store_id, words, &window),
    )
}

/// Builds the word lists of a store that are due, with segments of `orders` orders. Rebuilds a
/// segment's lists from `changes` changed orders on. Returns the number of lists built.
///
/// # Errors
/// Returns an error if a statement fails.
pub fn build_lists(
    connection: &mut PgConnection,
    store_id: &str,
    (orders, changes): (i64, i64),
) -> Result<usize, RepositoryError> {
    let mut built = 0;
    while build_one(connection, store_id, orders, changes).map_err(repository)? {
        built += 1;
    }
    Ok(built)
}

fn repository(failure: Failure) -> RepositoryError {
    error::repository(failure, false)
}
