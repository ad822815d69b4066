//! The functions that read orders, each in one transaction and so from one snapshot.

use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use pressline_domain::order::search::SearchResult;
use pressline_domain::order::{Lookup, Order, OrderMatch};
use pressline_kit::words::SearchKey;
use pressline_store_kit::schema::{order_states, orders};
use pressline_store_kit::{OrderRow, StateRow, StatusFilter, Window};

use super::matching;
use super::page::{Page, PageOf, whole_orders, with_ids, with_states};
use super::status::OfStatus;
use crate::error::Failure;

/// Looks for the order id, the number and the id of `lookup`, each by a key.
pub(crate) fn find(
    connection: &mut SqliteConnection,
    store_id: &str,
    lookup: &Lookup,
) -> Result<Option<OrderMatch>, Failure> {
    connection.transaction(|connection| {
        let of_store = || {
            let is_of_order = order_states::store_id
                .eq(orders::store_id)
                .and(order_states::id.eq(orders::id));
            orders::table
                .inner_join(order_states::table.on(is_of_order))
                .filter(orders::store_id.eq(store_id))
                .select((OrderRow::as_select(), StateRow::as_select()))
        };
        // Not `first`, which binds a LIMIT: SQLite would prepare the statement again for each
        // execution.
        let own = of_store()
            .filter(orders::order_id.eq(&lookup.order_id))
            .get_result(connection)
            .optional()?;
        let own: Option<(OrderRow, StateRow)> = own;
        let other = match (lookup.number, lookup.id) {
            (None, None) => None,
            (Some(number), _) => of_store()
                .filter(orders::number.eq(number))
                .get_result(connection)
                .optional()?,
            (None, Some(id)) => of_store()
                .filter(orders::id.eq(id.to_string()))
                .get_result(connection)
                .optional()?,
        };
        let is_other = |(row, _): &(OrderRow, StateRow)| {
            let own = own.as_ref();
            own.is_none_or(|(own, _)| own.id != row.id)
        };
        let other: Option<(OrderRow, StateRow)> = other.filter(is_other);
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
