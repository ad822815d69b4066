//! The statements that read orders. They run in one transaction, which sees one state of the file.

use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::order::Order;
use pressline_domain::ports::{Lookup, RepositoryError};
use pressline_domain::search::Found;
use pressline_store_rows::schema::{line_items, orders};
use pressline_store_rows::{ItemRow, OrderRow, Window, group_by_order};

use crate::error::Failure;

/// The order with the caller's id, else the one with the number.
pub(crate) fn find(
    connection: &mut SqliteConnection,
    store_id: &str,
    lookup: &Lookup,
) -> Result<Option<Order>, Failure> {
    connection.transaction(|connection| {
        let of_store = || orders::table.filter(orders::store_id.eq(store_id)).select(OrderRow::as_select());
        let mut row =
            of_store().filter(orders::order_id.eq(&lookup.order_id)).first(connection).optional()?;
        if let (None, Some(number)) = (&row, lookup.number) {
            row = of_store().filter(orders::number.eq(number)).first(connection).optional()?;
        }
        let Some(row) = row else { return Ok(None) };
        let items = line_items::table
            .filter(line_items::store_id.eq(store_id).and(line_items::order_uuid.eq(&row.id)))
            .select(ItemRow::as_select())
            .order(line_items::position)
            .load(connection)?;
        Ok(Some(row.restore(items)?))
    })
}

/// A page of the store's orders.
pub(crate) fn search(
    connection: &mut SqliteConnection,
    store_id: &str,
    words: Option<&str>,
    window: &Window,
) -> Result<Found, Failure> {
    connection.transaction(|connection| {
        let rows: Vec<OrderRow> = SelectPage { store_id, words, window }.load(connection)?;
        let ids = rows.iter().map(|row| row.id.as_str());
        // Ids hold nothing that JSON would have to escape.
        let ids = format!("[\"{}\"]", ids.collect::<Vec<_>>().join("\",\""));
        let items: Vec<ItemRow> = SelectItems { store_id, ids: &ids }.load(connection)?;
        let mut items = group_by_order(items);
        let restore = |row: OrderRow| -> Result<Order, RepositoryError> {
            let own = items.remove(&row.id).unwrap_or_default();
            row.restore(own)
        };
        Ok(window.found(rows.into_iter().map(restore))?)
    })
}

/// Reads the orders of a page, newest first, without their items.
pub(crate) struct SelectPage<'a> {
    pub(crate) store_id: &'a str,
    /// As [`words::query`](crate::words::query) made it.
    pub(crate) words: Option<&'a str>,
    pub(crate) window: &'a Window,
}

impl QueryFragment<Sqlite> for SelectPage<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql("SELECT ");
        orders::all_columns.walk_ast(out.reborrow())?;
        out.push_sql(" FROM (SELECT row_id AS hit FROM ");
        match &self.words {
            // CROSS JOIN is how SQLite is told the order: the words come first, since walking the newest orders until
            // enough have a rare word would mean to read them all.
            Some(words) => {
                out.push_sql(
                    "order_words CROSS JOIN orders ON row_id = order_words.rowid WHERE order_words MATCH ",
                );
                out.push_bind_param::<Text, _>(words)?;
                out.push_sql(" AND ");
            }
            None => out.push_sql("orders WHERE "),
        }
        // Passing over the offset reads the index alone; only the orders of the page are read whole.
        out.push_sql("store_id = ");
        out.push_bind_param::<Text, _>(self.store_id)?;
        out.push_sql(" AND created_at >= ");
        out.push_bind_param::<BigInt, _>(&self.window.from)?;
        out.push_sql(" AND (created_at, id) < (");
        out.push_bind_param::<BigInt, _>(&self.window.before.0)?;
        out.push_sql(", ");
        out.push_bind_param::<Text, _>(&self.window.before.1)?;
        out.push_sql(") ORDER BY created_at DESC, id DESC LIMIT ");
        out.push_bind_param::<BigInt, _>(&self.window.limit)?;
        out.push_sql(" OFFSET ");
        out.push_bind_param::<BigInt, _>(&self.window.offset)?;
        out.push_sql(") CROSS JOIN orders ON row_id = hit ORDER BY created_at DESC, id DESC");
        Ok(())
    }
}

impl Query for SelectPage<'_> {
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

/// There are three texts in all, so that each connection prepares each of them once.
macro_rules! prepared_by_text {
    ($($name:ident)*) => {$(
        impl QueryId for $name<'_> {
            type QueryId = ();
            const HAS_STATIC_QUERY_ID: bool = false;
        }

        impl RunQueryDsl<SqliteConnection> for $name<'_> {}
    )*};
}

prepared_by_text!(SelectPage SelectItems);
