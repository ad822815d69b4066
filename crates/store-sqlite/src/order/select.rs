//! The functions that read orders, each in one transaction and so from one snapshot.

use diesel::sqlite::SqliteConnection;
use diesel::{Connection as _, QueryResult};
use pressline_domain::order::search::SearchResult;
use pressline_domain::order::{Lookup, Order, OrderMatch};
use pressline_kit::words::SearchKey;
use pressline_store_kit::{OrderRow, Sql, StateRow, StatusFilter, Value, Window};

use super::matching;
use super::page::{Page, PageOf, whole_orders, with_ids, with_states};
use super::status::OfStatus;
use crate::error::Failure;
use crate::sql::load_first;

static BY_ORDER_ID: Sql = Sql::new(include_str!("sql/by_order_id.sql"));
static BY_NUMBER: Sql = Sql::new(include_str!("sql/by_number.sql"));
static BY_ID: Sql = Sql::new(include_str!("sql/by_id.sql"));

/// Looks for the order id, the number and the id of `lookup`, each by a key.
pub(crate) fn find(
    connection: &mut SqliteConnection,
    store_id: &str,
    lookup: &Lookup,
) -> Result<Option<OrderMatch>, Failure> {
    connection.transaction(|connection| {
        let mut by = |text: &Sql, key: (&'static str, Value<'_>)| {
            let values = [("store_id", store_id.into()), key];
            let row: QueryResult<Option<(OrderRow, StateRow)>> =
                load_first(connection, text, &values);
            row
        };
        let own = by(&BY_ORDER_ID, ("order_id", (&lookup.order_id).into()))?;
        let by_name = match (lookup.number, lookup.id) {
            (None, None) => None,
            (Some(number), _) => by(&BY_NUMBER, ("number", number.into()))?,
            (None, Some(id)) => by(&BY_ID, ("id", id.into()))?,
        };
        let is_other = |(row, _): &(OrderRow, StateRow)| {
            let own = own.as_ref();
            own.is_none_or(|(own, _)| own.id != row.id)
        };
        let other = by_name.filter(is_other);
        let rows = own.into_iter().chain(other).unzip();
        Ok(OrderMatch::new(
            lookup,
            with_states(connection, store_id, rows)?,
        ))
    })
}

/// Returns whole orders up to `window.bytes`, and the page's other orders as references.
pub(crate) fn search(
    connection: &mut SqliteConnection,
    store_id: &str,
    (key, bitmask): (Option<&SearchKey>, Option<StatusFilter>),
    window: &Window,
) -> Result<SearchResult, Failure> {
    connection.transaction(|connection| {
        let of_status = bitmask.map(|bitmask| OfStatus::new(connection, store_id, bitmask));
        let page = match (key, of_status.transpose()?) {
            (Some(key), of_status) => {
                matching::read(connection, store_id, (key, of_status.as_ref()), window)?
            }
            (None, Some(of_status)) => of_status.page(connection, window)?,
            (None, None) => {
                let mut page = Page::new(window);
                page.read(connection, store_id, PageOf::All, window)?;
                page
            }
        };
        let orders = whole_orders(connection, store_id, page.whole)?;
        Ok(SearchResult {
            orders,
            rest: page.rest,
            more: page.more,
        })
    })
}

/// Returns as many orders as fit into `bytes` bytes, but at least the first, sorted as in `ids`.
pub(crate) fn by_ids(
    connection: &mut SqliteConnection,
    store_id: &str,
    ids: &[String],
    bytes: u64,
) -> Result<Vec<Order>, Failure> {
    connection.transaction(|connection| with_ids(connection, store_id, ids, bytes))
}
