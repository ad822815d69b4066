//! Statements of this crate for its own tests, which look at their plans and run them on one
//! connection. Not part of the interface: it may change with any version.

use std::path::Path;

use diesel::query_builder::QueryFragment;
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::catalog::ProductQuery;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::EndpointDisabled;
use pressline_domain::id::StoreId;
use pressline_domain::order::search::SearchResult;
use pressline_domain::order::{Lookup, Order, OrderWrite};
use pressline_kit::words::SearchKey;
use pressline_store_kit::{
    Db, Dialect, ProductWindow, StatementCounter, Window, append_endpoint_event,
};

pub use crate::catalog::ProductsOf;
use crate::catalog::{CATALOG, SelectPrices, SelectProductPage, SelectProducts, SelectVariants};
use crate::connection::{Opener, Purpose};
use crate::error::repository;
pub use crate::order::PageOf;
pub use crate::overview::TEXTS as OVERVIEW;
use crate::webhook::DIALECT;
pub use pressline_store_kit::RecordedTexts;

use crate::order::across_stores::{ShipmentWithId, ShipmentsBefore, ShipmentsWithNumber};
use crate::order::{
    Job, ORDERS_OF_CHUNK, SelectPage, SelectRowIds, find_order, search_orders, write,
};
use crate::time_limit::TimeLimit;
use crate::{OpenError, SqliteConfig, SqliteStore, migrations, words};

/// Where the texts of the shared statements differ from those of other databases.
pub const PRODUCTION: &Dialect = &DIALECT;

/// Makes the file where it does not exist, and opens a connection that may write.
///
/// # Errors
/// [`OpenError`] as for a store.
pub fn open(path: &Path) -> Result<SqliteConnection, OpenError> {
    let opener = Opener::new(path, &SqliteConfig::default(), StatementCounter::default())?;
    migrations::migrate(&opener).map_err(OpenError::Database)?;
    let opened = opener.open(Purpose::Write).and_then(|mut connection| {
        TimeLimit::install(&mut connection).map_err(|error| repository(error.into()))?;
        Ok(connection)
    });
    opened.map_err(OpenError::Database)
}

/// A store whose searches read the index of words in chunks of so few orders that a test has several.
///
/// # Errors
/// [`OpenError`] as for any store.
pub fn with_chunks(path: &Path, orders: i64) -> Result<SqliteStore, OpenError> {
    let statements = StatementCounter::default();
    SqliteStore::open_with(path, &SqliteConfig::default(), orders, statements)
}

/// A store that records the texts of its statements.
///
/// # Errors
/// [`OpenError`] as for any store.
pub fn recording(path: &Path, texts: &RecordedTexts) -> Result<SqliteStore, OpenError> {
    let statements = StatementCounter::recording(texts);
    SqliteStore::open_with(path, &SqliteConfig::default(), ORDERS_OF_CHUNK, statements)
}

/// Adds the event of a disabled endpoint in a transaction of its own. Returns its sequence.
///
/// # Errors
/// As the database fails.
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

/// The statement that reads a page of orders.
pub fn page<'a>(
    store_id: &'a str,
    of: PageOf<'a>,
    window: &'a Window,
) -> impl QueryFragment<Sqlite> + 'a {
    SelectPage {
        store_id,
        of,
        window,
    }
}

/// The statement that reads the `row_id`s of a store's orders within a window.
pub fn row_ids<'a>(store_id: &'a str, window: &'a Window) -> impl QueryFragment<Sqlite> + 'a {
    SelectRowIds {
        store_id,
        from_id: &window.from,
        before_id: &window.before,
    }
}

/// The statement that looks a shipment up in all stores by its id.
#[must_use]
pub fn shipment_with_id(wanted: &str, count: i64) -> impl QueryFragment<Sqlite> + '_ {
    ShipmentWithId {
        stores: None,
        wanted,
        count,
    }
}

/// The statement that looks shipments up in all stores by the tracking number.
#[must_use]
pub fn shipments_with_number(wanted: &str, count: i64) -> impl QueryFragment<Sqlite> + '_ {
    ShipmentsWithNumber {
        stores: None,
        wanted,
        count,
    }
}

/// The statement that reads the shipments of the newest orders of a store before one.
#[must_use]
pub fn shipments_before<'a>(
    store_id: &'a str,
    before_id: &'a str,
    count: i64,
) -> impl QueryFragment<Sqlite> + 'a {
    ShipmentsBefore {
        store_id,
        from_id: "",
        before_id,
        count,
    }
}

/// Reads a page of orders.
///
/// # Errors
/// As the database fails.
pub fn search(
    connection: &mut SqliteConnection,
    store_id: &str,
    key: Option<&SearchKey>,
    window: &Window,
) -> Result<SearchResult, RepositoryError> {
    search_orders(connection, store_id, (key, None), window).map_err(repository)
}

/// Reads an order.
///
/// # Errors
/// As the database fails.
pub fn find(
    connection: &mut SqliteConnection,
    store_id: &str,
    lookup: &Lookup,
) -> Result<Option<Order>, RepositoryError> {
    find_order(connection, store_id, lookup).map_err(repository)
}

/// Writes orders in one transaction, with chunks of so many orders, and returns the result of each.
///
/// # Errors
/// As the database fails.
pub fn write_group(
    connection: &mut SqliteConnection,
    writes: Vec<OrderWrite>,
    orders_of_chunk: i64,
) -> Result<Vec<Result<Order, RepositoryError>>, RepositoryError> {
    let jobs: Result<Vec<Job>, _> = writes.into_iter().map(Job::new).collect();
    write(connection, &mut jobs?, orders_of_chunk).map_err(repository)
}

/// The statement that reads the variants of the SKUs of a JSON list.
pub fn variants(skus: &str) -> impl QueryFragment<Sqlite> + '_ {
    SelectVariants { skus }
}

/// The statement that reads a store's prices of the SKUs of a JSON list.
pub fn prices<'a>(store_id: &'a str, skus: &'a str) -> impl QueryFragment<Sqlite> + 'a {
    SelectPrices { store_id, skus }
}

/// A search key as the statements of products take it.
#[must_use]
pub fn words_of_products(key: &SearchKey) -> String {
    words::query(CATALOG, key.words())
}

/// The statement that reads the ids of a page of products.
pub fn product_page<'a>(
    of: ProductsOf<'a>,
    query: &ProductQuery,
) -> impl QueryFragment<Sqlite> + use<'a> {
    SelectProductPage {
        of,
        window: ProductWindow::new(query),
    }
}

/// The statement that reads the variants of the products whose ids a JSON list names.
pub fn products(ids: &str) -> impl QueryFragment<Sqlite> + '_ {
    SelectProducts { ids }
}
