//! Pages of orders, read by the statement that suits the search.

use diesel::pg::PgConnection;
use pressline_domain::order::search::SearchResult;
use pressline_store_kit::{StatusFilter, order_reference};

use super::find::restore;
use super::key::Key;
use super::page::{NEWEST, newest};
use super::page_row::Search;
use super::status;
use crate::arrays::load;
use crate::error::Failure;

pub(crate) fn search(
    connection: &mut PgConnection,
    search: &Search<'_>,
    key: Option<&Key>,
    bitmask: Option<StatusFilter>,
) -> Result<SearchResult, Failure> {
    let page_size = search.window.page_size();
    let rows = match (bitmask, key) {
        (Some(bitmask), _) => status::rows(connection, search, bitmask, key)?,
        (None, Some(key)) => search.with_words(connection, key)?,
        (None, None) => load(connection, &NEWEST, &newest(search.store_id, search.window))?,
    };
    let more = rows.len() > page_size;
    let (mut orders, mut rest) = (Vec::with_capacity(rows.len()), Vec::new());
    for row in rows.into_iter().take(page_size) {
        match (row.order.zip(row.state), row.id, row.size) {
            (Some((order, state)), ..) => orders.push(restore(order, state, row.documents)?),
            (None, Some(id), Some(size)) => {
                rest.push(order_reference(search.store_id, &id, size)?);
            }
            (None, ..) => {}
        }
    }
    Ok(SearchResult { orders, rest, more })
}
