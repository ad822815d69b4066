//! The statements that read orders. They run in one transaction, which sees one state of the file.

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
use pressline_store_kit::{ItemRow, OrderRow, Window, group_by_order, order_reference, text_list};

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
        let mut row = of_store()
            .filter(orders::order_id.eq(&lookup.order_id))
            .first(connection)
            .optional()?;
        if let (None, Some(number)) = (&row, lookup.number) {
            row = of_store()
                .filter(orders::number.eq(number))
                .first(connection)
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

/// A key that no more orders than these have is answered from the index of words alone. Reading so
/// many orders costs less than looking at the newest.
const FEW: usize = 500;

/// How many of the newest orders are looked at for words that are common, rather than reading all
/// that have them.
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
                    of: Of::All,
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

/// The rows of a page. SQLite gives them one by one, so that no more than one is in memory that is
/// not kept.
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
                page.rest.push(order_reference(
                    store_id,
                    &row.id,
                    row.created_at,
                    row.size,
                )?);
            }
        }
        Ok(page)
    }
}

/// A size that is no size fills any batch; reading the order or its reference names it.
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
        return page(Of::Rows(&hits));
    }
    if window.offset.saturating_add(window.limit) <= NEWEST {
        let newest = page(Of::Newest(words))?;
        // No other order that matches stands before one of these.
        if newest.more {
            return Ok(newest);
        }
    }
    page(Of::Matching(words))
}

/// Which orders a page is of. Words are as [`words::query`](crate::words::query) made them.
#[derive(Clone, Copy)]
pub(crate) enum Of<'a> {
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
pub(crate) struct SelectPage<'a> {
    pub(crate) store_id: &'a str,
    pub(crate) of: Of<'a>,
    pub(crate) window: &'a Window,
}

impl SelectPage<'_> {
    /// Writes the common tables of the newest orders and of what matches among them.
    ///
    /// A `row_id` that is lower than all of the newest ones' belongs to none of them. The index of
    /// words is read from its end, since it stops at the bound only on that way.
    fn push_newest<'b>(
        &'b self,
        mut out: AstPass<'_, 'b, Sqlite>,
        words: &'b &str,
    ) -> QueryResult<()> {
        out.push_sql(
            "WITH newest AS MATERIALIZED (SELECT row_id, created_at, id FROM orders WHERE ",
        );
        self.push_bounds(out.reborrow())?;
        out.push_sql(&format!(
            " ORDER BY created_at DESC, id DESC LIMIT {NEWEST}), "
        ));
        out.push_sql(
            "hits AS MATERIALIZED (SELECT rowid FROM order_words WHERE order_words MATCH ",
        );
        out.push_bind_param::<Text, _>(words)?;
        // Within a time range in the past, hits newer than the range are passed over, however many
        // there are.
        out.push_sql(
            " AND rowid >= (SELECT min(row_id) FROM newest) AND within_time() ORDER BY rowid DESC) ",
        );
        Ok(())
    }

    fn push_bounds<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql("store_id = ");
        out.push_bind_param::<Text, _>(self.store_id)?;
        out.push_sql(" AND created_at >= ");
        out.push_bind_param::<BigInt, _>(&self.window.from)?;
        out.push_sql(" AND (created_at, id) < (");
        out.push_bind_param::<BigInt, _>(&self.window.before.0)?;
        out.push_sql(", ");
        out.push_bind_param::<Text, _>(&self.window.before.1)?;
        out.push_sql(")");
        Ok(())
    }
}

impl QueryFragment<Sqlite> for SelectPage<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        if let Of::Newest(words) = &self.of {
            self.push_newest(out.reborrow(), words)?;
        }
        out.push_sql("SELECT ");
        orders::all_columns.walk_ast(out.reborrow())?;
        out.push_sql(" FROM (SELECT row_id AS hit FROM ");
        // CROSS JOIN is how SQLite is told the order: the words come first, since walking the
        // newest orders until enough have a rare word would mean to read them all.
        match &self.of {
            Of::All if self.window.offset > NEAR => out.push_sql("orders WHERE within_time() AND "),
            Of::All => out.push_sql("orders WHERE "),
            Of::Rows(rows) => {
                out.push_sql("(SELECT value FROM json_each(");
                out.push_bind_param::<Text, _>(rows)?;
                out.push_sql(")) AS hits CROSS JOIN orders ON row_id = hits.value WHERE ");
            }
            Of::Newest(_) => out.push_sql("newest WHERE row_id IN hits"),
            Of::Matching(words) => {
                out.push_sql(
                    "order_words CROSS JOIN orders ON row_id = order_words.rowid WHERE order_words MATCH ",
                );
                out.push_bind_param::<Text, _>(words)?;
                out.push_sql(" AND within_time() AND ");
            }
        }
        // Passing over the offset reads the index alone; only the orders of the page are read
        // whole.
        if !matches!(self.of, Of::Newest(_)) {
            self.push_bounds(out.reborrow())?;
        }
        out.push_sql(" ORDER BY created_at DESC, id DESC LIMIT ");
        out.push_bind_param::<BigInt, _>(&self.window.limit)?;
        out.push_sql(" OFFSET ");
        out.push_bind_param::<BigInt, _>(&self.window.offset)?;
        out.push_sql(") CROSS JOIN orders ON row_id = hit ORDER BY created_at DESC, id DESC");
        Ok(())
    }
}

/// Reads the `row_id`s of orders with the words, one more than a few at most.
struct SelectHits<'a> {
    words: &'a str,
}

impl QueryFragment<Sqlite> for SelectHits<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql("SELECT rowid FROM order_words WHERE order_words MATCH ");
        out.push_bind_param::<Text, _>(self.words)?;
        out.push_sql(&format!(" LIMIT {}", FEW + 1));
        Ok(())
    }
}

impl Query for SelectHits<'_> {
    type SqlType = BigInt;
}

impl Query for SelectPage<'_> {
    type SqlType = orders::SqlType;
}

/// Reads the orders whose ids a JSON list names, in the order of the list, without their items.
struct SelectByIds<'a> {
    store_id: &'a str,
    ids: &'a str,
}

impl QueryFragment<Sqlite> for SelectByIds<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql("SELECT ");
        orders::all_columns.walk_ast(out.reborrow())?;
        out.push_sql(" FROM json_each(");
        out.push_bind_param::<Text, _>(self.ids)?;
        out.push_sql(
            ") AS wanted CROSS JOIN orders ON orders.id = wanted.value WHERE orders.store_id = ",
        );
        out.push_bind_param::<Text, _>(self.store_id)?;
        out.push_sql(" ORDER BY wanted.key");
        Ok(())
    }
}

impl Query for SelectByIds<'_> {
    type SqlType = orders::SqlType;
}

/// Reads the items of the orders whose ids a JSON list names.
struct SelectItems<'a> {
    store_id: &'a str,
    ids: &'a str,
}

impl QueryFragment<Sqlite> for SelectItems<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql("SELECT ");
        line_items::all_columns.walk_ast(out.reborrow())?;
        out.push_sql(" FROM line_items WHERE store_id = ");
        out.push_bind_param::<Text, _>(self.store_id)?;
        out.push_sql(" AND order_uuid IN (SELECT value FROM json_each(");
        out.push_bind_param::<Text, _>(self.ids)?;
        out.push_sql(")) ORDER BY order_uuid, position");
        Ok(())
    }
}

impl Query for SelectItems<'_> {
    type SqlType = line_items::SqlType;
}

/// There are seven texts in all, so that each connection prepares each of them once.
macro_rules! prepared_by_text {
    ($($name:ident)*) => {$(
        impl QueryId for $name<'_> {
            type QueryId = ();
            const HAS_STATIC_QUERY_ID: bool = false;
        }

        impl RunQueryDsl<SqliteConnection> for $name<'_> {}
    )*};
}

prepared_by_text!(SelectPage SelectHits SelectItems SelectByIds);
