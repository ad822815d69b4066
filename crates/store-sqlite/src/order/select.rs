//! The statements that read orders. They run in one transaction, which sees one state of the file.

use std::sync::LazyLock;

use diesel::connection::DefaultLoadingMode;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::search::{Batch, Found, OrderReference};
use pressline_domain::order::{Lookup, Order};
use pressline_store_kit::schema::{line_items, orders};
use pressline_store_kit::{
    ItemRow, OrderRow, Parameters, SqlText, Window, group_by_order, order_reference, statement,
    text_list, unknown_parameter,
};

use crate::error::Failure;

/// The order with the caller's id, else the one with the number.
pub(crate) fn find(
    connection: &mut SqliteConnection,
    store_id: &str,
    lookup: &Lookup,
) -> Result<Option<Order>, Failure> {
    connection.transaction(|connection| {
        let of_store = || {
            orders::table
                .filter(orders::store_id.eq(store_id))
                .select(OrderRow::as_select())
        };
        // Not `first`, which binds a LIMIT: SQLite would prepare the statement again at each run.
        let mut row = of_store()
            .filter(orders::order_id.eq(&lookup.order_id))
            .get_result(connection)
            .optional()?;
        if let (None, Some(number)) = (&row, lookup.number) {
            row = of_store()
                .filter(orders::number.eq(number))
                .get_result(connection)
                .optional()?;
        }
        let Some(row) = row else { return Ok(None) };
        let items = line_items::table
            .filter(
                line_items::store_id
                    .eq(store_id)
                    .and(line_items::order_uuid.eq(&row.id)),
            )
            .select(ItemRow::as_select())
            .order(line_items::position)
            .load(connection)?;
        Ok(Some(row.restore(items)?))
    })
}

/// If no more orders than these match a key, they are found by the index of words alone: reading so
/// many orders costs less than walking the newest.
const FEW: usize = 500;

/// How many of the newest orders are compared with common words, instead of reading all orders that
/// have them.
const NEWEST: i64 = 2000;

/// Passing over so many orders reads a few hundred pages of one index; only a walk further back
/// needs a time limit.
const NEAR: i64 = 10_000;

/// A page of the store's orders: whole up to the bytes of the window, the rest as references.
pub(crate) fn search(
    connection: &mut SqliteConnection,
    store_id: &str,
    words: Option<&str>,
    window: &Window,
) -> Result<Found, Failure> {
    connection.transaction(|connection| {
        let page = match words {
            Some(words) => matching(connection, store_id, words, window)?,
            None => Page::read(
                connection,
                SelectPage {
                    store_id,
                    of: PageOf::All,
                    window,
                },
            )?,
        };
        let orders = with_items(connection, store_id, page.whole)?;
        Ok(Found {
            orders,
            rest: page.rest,
            more: page.more,
        })
    })
}

/// The orders with these ids, in the order of the ids, up to so many bytes.
pub(crate) fn by_ids(
    connection: &mut SqliteConnection,
    store_id: &str,
    ids: &[String],
    bytes: u64,
) -> Result<Vec<Order>, Failure> {
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let ids = text_list(&ids)?;
    connection.transaction(|connection| {
        let mut batch = Batch::of(bytes);
        let mut whole = Vec::new();
        for row in (SelectByIds {
            store_id,
            ids: &ids,
        })
        .load_iter::<OrderRow, DefaultLoadingMode>(connection)?
        {
            let row = row?;
            if !batch.takes(size(&row)) {
                break;
            }
            whole.push(row);
        }
        with_items(connection, store_id, whole)
    })
}

/// The rows of a page. SQLite returns rows one by one: at most one row that is not kept is in
/// memory.
#[derive(Default)]
struct Page {
    whole: Vec<OrderRow>,
    rest: Vec<OrderReference>,
    /// Whether the window has a row behind the page.
    more: bool,
}

impl Page {
    fn read(connection: &mut SqliteConnection, select: SelectPage<'_>) -> Result<Self, Failure> {
        let (store_id, window) = (select.store_id, select.window);
        let mut batch = Batch::of(window.bytes);
        let mut page = Self::default();
        for row in select.load_iter::<OrderRow, DefaultLoadingMode>(connection)? {
            let row = row?;
            page.more = page.whole.len() + page.rest.len() == window.page_size();
            if page.more {
                break;
            }
            if batch.takes(size(&row)) {
                page.whole.push(row);
            } else {
                page.rest
                    .push(order_reference(store_id, &row.id, row.size)?);
            }
        }
        Ok(page)
    }
}

/// An invalid size fills any batch. The error comes when the order or its reference is read.
fn size(row: &OrderRow) -> u64 {
    u64::try_from(row.size).unwrap_or(u64::MAX)
}

fn with_items(
    connection: &mut SqliteConnection,
    store_id: &str,
    rows: Vec<OrderRow>,
) -> Result<Vec<Order>, Failure> {
    let ids = rows.iter().map(|row| row.id.as_str());
    // Ids hold nothing that JSON would have to escape.
    let ids = format!("[\"{}\"]", ids.collect::<Vec<_>>().join("\",\""));
    let items: Vec<ItemRow> = SelectItems {
        store_id,
        ids: &ids,
    }
    .load(connection)?;
    let mut items = group_by_order(items);
    let restore = |row: OrderRow| -> Result<Order, RepositoryError> {
        let own = items.remove(&row.id).unwrap_or_default();
        row.restore(own)
    };
    Ok(rows.into_iter().map(restore).collect::<Result<_, _>>()?)
}

/// The orders of a page that have the words, read in the way that suits how many have them.
fn matching(
    connection: &mut SqliteConnection,
    store_id: &str,
    words: &str,
    window: &Window,
) -> Result<Page, Failure> {
    let hits: Vec<i64> = SelectHits { words }.load(connection)?;
    let mut page = |of| {
        Page::read(
            connection,
            SelectPage {
                store_id,
                of,
                window,
            },
        )
    };
    if hits.len() <= FEW {
        let hits = format!(
            "[{}]",
            hits.iter()
                .map(i64::to_string)
                .collect::<Vec<_>>()
                .join(",")
        );
        return page(PageOf::Rows(&hits));
    }
    if window.offset.saturating_add(window.limit) <= NEWEST {
        let newest = page(PageOf::Newest(words))?;
        // These are the newest of all that match.
        if newest.more {
            return Ok(newest);
        }
    }
    page(PageOf::Matching(words))
}

/// The orders that a page is of. Words are as `words::query` made them.
#[derive(Debug, Clone, Copy)]
pub enum PageOf<'a> {
    /// All of the store.
    All,
    /// Those with these `row_id`s, a JSON list.
    Rows(&'a str),
    /// Those of the newest that have the words.
    Newest(&'a str),
    /// Those that have the words.
    Matching(&'a str),
}

/// Reads the orders of a page, newest first, without their items.
#[derive(Debug)]
pub(crate) struct SelectPage<'a> {
    pub(crate) store_id: &'a str,
    pub(crate) of: PageOf<'a>,
    pub(crate) window: &'a Window,
}

impl Parameters<Sqlite> for SelectPage<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        match (name, &self.of) {
            ("store_id", _) => out.push_bind_param::<Text, _>(self.store_id),
            ("from_id", _) => out.push_bind_param::<Text, _>(&self.window.from),
            ("before_id", _) => out.push_bind_param::<Text, _>(&self.window.before),
            ("limit", _) => out.push_bind_param::<BigInt, _>(&self.window.limit),
            ("offset", _) => out.push_bind_param::<BigInt, _>(&self.window.offset),
            ("rows", PageOf::Rows(rows)) => out.push_bind_param::<Text, _>(*rows),
            ("words", PageOf::Newest(words) | PageOf::Matching(words)) => {
                out.push_bind_param::<Text, _>(*words)
            }
            _ => Err(unknown_parameter(name)),
        }
    }
}

/// The text of a page of this source, after the common tables of `with`.
fn page_of(with: &str, source: &str) -> SqlText {
    let page = include_str!("sql/page.sql");
    let parts = [
        ("source", source),
        ("window", include_str!("sql/window.sql")),
    ];
    SqlText::new(&format!("{with}{page}"), &parts)
}

static ALL: LazyLock<SqlText> = LazyLock::new(|| page_of("", "orders WHERE {window}"));
static FAR: LazyLock<SqlText> =
    LazyLock::new(|| page_of("", "orders WHERE within_time() AND {window}"));
static ROWS: LazyLock<SqlText> = LazyLock::new(|| {
    let rows = "(SELECT value FROM json_each(:rows)) AS hits \
                CROSS JOIN orders ON row_id = hits.value WHERE {window}";
    page_of("", rows)
});
static NEWEST_MATCHING: LazyLock<SqlText> = LazyLock::new(|| {
    let newest = include_str!("sql/newest.sql");
    page_of(newest, "newest WHERE row_id IN hits")
});
// The words come before the orders, since walking the newest orders until enough have a rare word
// would mean to read them all.
static MATCHING: LazyLock<SqlText> = LazyLock::new(|| {
    let matching = "order_words CROSS JOIN orders ON row_id = order_words.rowid \
                    WHERE order_words MATCH :words AND within_time() AND {window}";
    page_of("", matching)
});

impl QueryFragment<Sqlite> for SelectPage<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        let text = match &self.of {
            PageOf::All if self.window.offset > NEAR => &FAR,
            PageOf::All => &ALL,
            PageOf::Rows(_) => &ROWS,
            PageOf::Newest(_) => &NEWEST_MATCHING,
            PageOf::Matching(_) => &MATCHING,
        };
        text.write(self, &mut out)
    }
}

/// There are five texts in all, so that each connection prepares each of them once.
impl QueryId for SelectPage<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for SelectPage<'_> {
    type SqlType = orders::SqlType;
}

impl RunQueryDsl<SqliteConnection> for SelectPage<'_> {}

statement! {
    /// Reads the `row_id`s of orders with the words, one more than a few at most.
    struct SelectHits<'a> for Sqlite, returns BigInt,
    text SqlText::new(include_str!("sql/hits.sql"), &[]),
    {
        words: &'a str = Text,
    }
}

statement! {
    /// Reads the orders whose ids a JSON list names, in the order of the list, without their items.
    struct SelectByIds<'a> for Sqlite, returns orders::SqlType,
    text SqlText::new(include_str!("sql/by_ids.sql"), &[]),
    {
        store_id: &'a str = Text,
        ids: &'a str = Text,
    }
}

statement! {
    /// Reads the items of the orders whose ids a JSON list names.
    struct SelectItems<'a> for Sqlite, returns line_items::SqlType,
    text SqlText::new(include_str!("sql/items.sql"), &[]),
    {
        store_id: &'a str = Text,
        ids: &'a str = Text,
    }
}
