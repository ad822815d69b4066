//! The statements that read a page of orders, newest first: whole up to a bound of bytes, the rest
//! as references.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::AstPass;
use diesel::sql_types::{BigInt, Integer, Nullable, Text};
use pressline_domain::order::search::Found;
use pressline_store_kit::schema::{order_states, orders};
use pressline_store_kit::{
    OrderRow, Parameters, SqlText, StateRow, Window, order_reference, statement, statement_text,
};

use super::find::{Documents, DocumentsSql, PARTS, restore};
use crate::error::Failure;
use crate::words;

/// Id and size of an order of the page, and the order itself where it is read whole.
type PageRow = (String, i32, Option<OrderRow>, Option<StateRow>, Documents);
type PageSql = (
    Text,
    Integer,
    Nullable<orders::SqlType>,
    Nullable<order_states::SqlType>,
    DocumentsSql,
);

const PAGE: &str = include_str!("sql/page.sql");

statement! {
    /// Reads a page of the newest orders of a store, within the window.
    pub(crate) struct SelectNewest<'a> for Pg, returns PageSql,
    text SqlText::new(
        PAGE,
        &[&[("source", include_str!("sql/newest.sql"))], &PARTS[..]].concat(),
    ),
    {
        store_id: &'a str = Text,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
        offset: i64 = BigInt,
        limit: i64 = BigInt,
        bytes: i64 = BigInt,
    }
}

statement! {
    /// Reads a page of the newest orders of a store with the words of a key, within the window.
    pub(crate) struct SelectMatching<'a> for Pg, returns PageSql,
    text matching_text(""),
    {
        store_id: &'a str = Text,
        /// As [`words::tsquery`](crate::words::tsquery) made it.
        tsquery: &'a str = Text,
        /// Up to which of the matching orders the window reaches.
        wanted: i64 = BigInt,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
        offset: i64 = BigInt,
        limit: i64 = BigInt,
        bytes: i64 = BigInt,
    }
}

/// The same where the tables are distributed. The condition leads to the node of the store, which
/// plans the statement with what it knows of this very store. Elsewhere it must not be there: a plan
/// for any store would read all orders of a large one by the primary key.
pub(crate) struct SelectMatchingOnNode<'a>(pub(crate) SelectMatching<'a>);

impl Parameters<Pg> for SelectMatchingOnNode<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.0.bind(name, out)
    }
}

statement_text!(
    SelectMatchingOnNode<'_>,
    SelectMatchingOnNode<'static>,
    Pg,
    PageSql,
    matching_text("order_words.store_id = :store_id AND")
);

/// The text that reads matching orders, with this condition for the table of words.
fn matching_text(of_store: &str) -> SqlText {
    SqlText::new(
        &format!("{}{PAGE}", include_str!("sql/hits.sql")),
        &[
            &words::PARTS[..],
            &[("source", "hits"), ("of_store", of_store)],
            &PARTS,
        ]
        .concat(),
    )
}

/// The newest orders of a store, within a window.
pub(crate) fn newest<'a>(store_id: &'a str, window: &'a Window) -> SelectNewest<'a> {
    SelectNewest {
        store_id,
        from_id: &window.from,
        before_id: &window.before,
        offset: window.offset,
        limit: window.limit,
        bytes: bytes(window),
    }
}

/// Those of the newest orders with the words of a key, within a window.
pub(crate) fn matching<'a>(
    store_id: &'a str,
    tsquery: &'a str,
    window: &'a Window,
) -> SelectMatching<'a> {
    SelectMatching {
        store_id,
        tsquery,
        wanted: window.offset.saturating_add(window.limit),
        from_id: &window.from,
        before_id: &window.before,
        offset: window.offset,
        limit: window.limit,
        bytes: bytes(window),
    }
}

fn bytes(window: &Window) -> i64 {
    i64::try_from(window.bytes).unwrap_or(i64::MAX)
}

/// Reads the rows of a page, and of the order behind it.
pub(crate) fn rows(
    connection: &mut PgConnection,
    store_id: &str,
    tsquery: Option<&str>,
    window: &Window,
    distributed: bool,
) -> QueryResult<Vec<PageRow>> {
    let Some(tsquery) = tsquery else {
        return newest(store_id, window).load(connection);
    };
    let matching = matching(store_id, tsquery, window);
    if distributed {
        return SelectMatchingOnNode(matching).load(connection);
    }
    matching.load(connection)
}

/// Reads a page of a store's orders, or of those with the words of a key.
pub(crate) fn search(
    connection: &mut PgConnection,
    store_id: &str,
    tsquery: Option<&str>,
    window: &Window,
    distributed: bool,
) -> Result<Found, Failure> {
    let page_size = window.page_size();
    let rows = rows(connection, store_id, tsquery, window, distributed)?;
    let more = rows.len() > page_size;
    let (mut orders, mut rest) = (Vec::with_capacity(rows.len()), Vec::new());
    for (id, size, order, state, documents) in rows.into_iter().take(page_size) {
        match order.zip(state) {
            Some((order, state)) => orders.push(restore(order, state, documents)?),
            None => rest.push(order_reference(store_id, &id, size)?),
        }
    }
    Ok(Found { orders, rest, more })
}
