//! Statements of this crate for its own tests, which look at their plans and run them on one
//! connection. Not part of the interface: it may change with any version.

use diesel::pg::{Pg, PgConnection};
use diesel::query_builder::QueryFragment;
use pressline_domain::catalog::ProductQuery;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::StoreId;
use pressline_domain::order::{Lookup, Order, OrderWrite};
use pressline_kit::words::SearchKey;
use pressline_store_kit::Window;

use crate::catalog::{SelectOffer, SelectProducts};
use crate::error::Failure;
use crate::order::{Done, Job, SelectOrders, SelectPage, Which, write};
use crate::words;

/// A search key as the statement of a page takes it.
#[must_use]
pub fn tsquery(key: &SearchKey) -> String {
    words::tsquery(key)
}

/// The statement that reads the order with an id.
pub fn order_by_id<'a>(store_id: &'a str, id: &'a str) -> impl QueryFragment<Pg> + 'a {
    let which = Which::Id(id);
    SelectOrders { store_id, which }
}

/// The statement that reads the order with the caller's id, else with the number.
pub fn order_by_name<'a>(store_id: &'a str, lookup: &'a Lookup) -> impl QueryFragment<Pg> + 'a {
    let which = Which::Named(lookup);
    SelectOrders { store_id, which }
}

/// Reads the order with an id.
///
/// # Errors
/// As the database fails.
pub fn find(
    connection: &mut PgConnection,
    store_id: &str,
    id: &str,
) -> Result<Option<Order>, RepositoryError> {
    let which = Which::Id(id);
    let found = SelectOrders { store_id, which }.first(connection);
    found.map_err(repository)
}

/// The statement that reads a page of orders.
pub fn page<'a>(
    store_id: &'a str,
    tsquery: Option<&'a str>,
    window: &'a Window,
) -> impl QueryFragment<Pg> + 'a {
    SelectPage::new(store_id, tsquery, window)
}

/// Time of creation and id of each order of a page, with the one behind it.
///
/// # Errors
/// As the database fails.
pub fn page_positions(
    connection: &mut PgConnection,
    store_id: &str,
    tsquery: Option<&str>,
    window: &Window,
) -> Result<Vec<(i64, String)>, RepositoryError> {
    let page = SelectPage::new(store_id, tsquery, window);
    let rows = page
        .load_rows(connection)
        .map_err(|error| repository(error.into()))?;
    Ok(rows
        .into_iter()
        .map(|(id, created_at, ..)| (created_at, id))
        .collect())
}

/// Writes orders in one transaction, and returns the result of each.
///
/// # Errors
/// As the database fails.
pub fn write_group(
    connection: &mut PgConnection,
    writes: Vec<OrderWrite>,
) -> Result<Vec<Result<Order, RepositoryError>>, RepositoryError> {
    let jobs: Result<Vec<Job>, _> = writes.into_iter().map(Job::of).collect();
    let results = write(connection, &mut jobs?).map_err(repository)?;
    let stored = |done| match done {
        Done::Stored(order) => Ok(order),
        Done::Unsettled(_) => Err(RepositoryError::Refused("the row is locked".into())),
    };
    Ok(results
        .into_iter()
        .map(|result| result.and_then(stored))
        .collect())
}

/// The statement that reads what orders of these SKUs are priced with.
#[must_use]
pub fn offer(store_id: &str, skus: &[String], have: Option<i64>) -> impl QueryFragment<Pg> + use<> {
    SelectOffer {
        store_id: store_id.to_owned(),
        skus: skus.to_vec(),
        have,
    }
}

/// The statement that reads a page of products.
#[must_use]
pub fn products(store: StoreId, query: &ProductQuery) -> impl QueryFragment<Pg> + use<> {
    SelectProducts::of(store, query)
}

fn repository(failure: Failure) -> RepositoryError {
    failure.into_repository(false)
}
