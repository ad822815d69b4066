//! Statements of this crate for its own tests, which run them on one connection and check their
//! plans. Not part of the interface: it may change in any version.

#[path = "../../../store-kit/tests/fixtures/counter.rs"]
mod counter;
#[path = "../../../store-kit/tests/fixtures/port_statements.rs"]
mod port_statements;

use std::path::Path;

use diesel::sqlite::SqliteConnection;
use pressline_domain::catalog::ProductQuery;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::EndpointDisabled;
use pressline_domain::order::search::SearchResult;
use pressline_domain::order::{Lookup, Order, OrderWrite};
use pressline_domain::value::StoreId;
use pressline_kit::words::SearchKey;
use pressline_store_kit::{
    Db, Dialect, OrderJob, ProductWindow, Sql, Statement, Value, Window, append_endpoint_event,
};

use crate::catalog::VARIANTS;
use crate::catalog::prices_of::PRICES;
use crate::catalog::search::{PRODUCTS, page_of};
use crate::catalog::words::CATALOG;
use crate::connection::{Opener, Purpose};
use crate::dialect::DIALECT;
use crate::error::repository;
pub use crate::order::page::PageOf;
pub use counter::{RecordedTexts, StatementCounter, text_of};
pub use port_statements::{NamedStatement, PortStatements};
pub use pressline_store_kit::ProductsOf;

use crate::order::matching::{ROW_IDS, range_values};
use crate::order::page;
use crate::order::{ORDERS_OF_CHUNK, select, write};
use crate::time_limit::TimeLimit;
use crate::{OpenError, SqliteConfig, SqliteStore, migrations, words};

/// Differences of the shared statements' SQL from other databases.
pub const SHARED: &Dialect = &DIALECT;

/// Creates the file if it does not exist, and opens a connection that may write.
///
/// # Errors
/// Same errors as [`SqliteStore::open`].
pub fn open(path: &Path) -> Result<SqliteConnection, OpenError> {
    let opener = Opener::new(path, &SqliteConfig::default(), None)?;
    migrations::migrate(&opener).map_err(OpenError::Database)?;
    let opened = opener.open(Purpose::Write).and_then(|mut connection| {
        TimeLimit::install(&mut connection).map_err(|error| repository(error.into()))?;
        Ok(connection)
    });
    opened.map_err(OpenError::Database)
}

/// Opens a store whose word index has chunks of `orders` orders, so that a test has several chunks.
///
/// # Errors
/// Same errors as [`SqliteStore::open`].
pub fn with_chunks(path: &Path, orders: i64) -> Result<SqliteStore, OpenError> {
    SqliteStore::open_with(path, &SqliteConfig::default(), orders, None)
}

/// Opens a store that records the SQL of its statements in `texts`.
///
/// # Errors
/// Same errors as [`SqliteStore::open`].
pub fn recording(path: &Path, texts: &RecordedTexts) -> Result<SqliteStore, OpenError> {
    let on_statement = counter::recorded_in(texts);
    SqliteStore::open_with(
        path,
        &SqliteConfig::default(),
        ORDERS_OF_CHUNK,
        on_statement,
    )
}

/// Opens a store, and returns the counter of its statements without checkpoints.
///
/// # Errors
/// Same errors as [`SqliteStore::open`].
pub fn counted(
    path: &Path,
    config: &SqliteConfig,
) -> Result<(SqliteStore, StatementCounter), OpenError> {
    let counter = StatementCounter::default();
    let store = SqliteStore::open_with(path, config, ORDERS_OF_CHUNK, counter.hook())?;
    Ok((store, counter))
}

/// Adds `event` in a transaction of its own. Returns its sequence.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn add_endpoint_event(
    store: &SqliteStore,
    of: StoreId,
    event: EndpointDisabled,
) -> Result<u64, RepositoryError> {
    store
        .change_alone(move |connection| {
            append_endpoint_event(&mut Db::new(connection, &DIALECT), of, &event)
        })
        .await
}

fn statement(text: &Sql, values: &[(&'static str, Value<'_>)]) -> Statement<'static> {
    Statement::new(text, values).into_owned()
}

/// Statement that reads a page of orders.
pub fn page(store_id: &str, of: PageOf<'_>, window: &Window) -> Statement<'static> {
    let (text, values) = page::page(store_id, of, window);
    statement(text, &values)
}

/// Statement that reads the `row_id`s of a store's orders within `window`.
pub fn row_ids(store_id: &str, window: &Window) -> Statement<'static> {
    statement(
        &ROW_IDS,
        &range_values(store_id, &window.from, &window.before),
    )
}

/// Reads a page of orders.
///
/// # Errors
/// Returns an error if the query fails.
pub fn search(
    connection: &mut SqliteConnection,
    store_id: &str,
    key: Option<&SearchKey>,
    window: &Window,
) -> Result<SearchResult, RepositoryError> {
    select::search(connection, store_id, (key, None), window).map_err(repository)
}

/// Reads the order that `lookup` names.
///
/// # Errors
/// Returns an error if the query fails.
pub fn find(
    connection: &mut SqliteConnection,
    store_id: &str,
    lookup: &Lookup,
) -> Result<Option<Order>, RepositoryError> {
    let found = select::find(connection, store_id, lookup).map_err(repository)?;
    Ok(found.map(Order::from))
}

/// Writes orders in one transaction, with chunks of `orders_of_chunk` orders. Returns the result of
/// each write.
///
/// # Errors
/// Returns an error if the transaction fails.
pub fn write_group(
    connection: &mut SqliteConnection,
    writes: Vec<OrderWrite>,
    orders_of_chunk: i64,
) -> Result<Vec<Result<Order, RepositoryError>>, RepositoryError> {
    let job = |write| OrderJob::new(write, words::joined);
    let jobs: Result<Vec<OrderJob>, _> = writes.into_iter().map(job).collect();
    write(connection, &mut jobs?, orders_of_chunk).map_err(repository)
}

/// Statement that reads the variants of `skus`, a JSON list.
pub fn variants(skus: &str) -> Statement<'static> {
    statement(&VARIANTS, &[("skus", skus.into())])
}

/// Statement that reads a store's prices of `skus`, a JSON list.
pub fn prices(store_id: &str, skus: &str) -> Statement<'static> {
    let values = [("store_id", store_id.into()), ("skus", skus.into())];
    statement(&PRICES, &values)
}

/// Converts `key` to the search expression of the product statements.
#[must_use]
pub fn words_of_products(key: &SearchKey) -> String {
    words::query(CATALOG, key.words())
}

/// Statement that reads the ids of a page of products.
pub fn product_page(of: ProductsOf, words: &str, query: &ProductQuery) -> Statement<'static> {
    let (text, values) = page_of(of, words, &ProductWindow::new(query));
    statement(text, &values)
}

/// Statement that reads the variants of the products `ids`, a JSON list.
pub fn products(ids: &str) -> Statement<'static> {
    statement(&PRODUCTS, &[("ids", ids.into())])
}
