//! The statements that read a page of products, and count all that match.

use std::sync::LazyLock;

use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{BigInt, Nullable, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::catalog::{FoundProducts, ProductQuery, ProductStart};
use pressline_store_kit::schema::products;
use pressline_store_kit::{
    Parameters, SqlText, VariantRow, found_products, statement, unknown_parameter,
};

use super::words::CATALOG;
use super::{list, with_prices};
use crate::error::Failure;
use crate::words;

/// A page of products with a store's prices, as one state of the file has them.
pub(super) fn search(
    connection: &mut SqliteConnection,
    store_id: &str,
    query: &ProductQuery,
) -> Result<FoundProducts, Failure> {
    let words = query.key.as_ref().map(|key| words::query(CATALOG, key));
    let (after, offset) = match &query.start {
        ProductStart::Offset(offset) => (None, i64::try_from(*offset).unwrap_or(i64::MAX)),
        ProductStart::After(id) => (Some(id.as_str()), 0),
    };
    // One more than the page holds. If so many are found, there is a next page.
    let page = SelectPage {
        words,
        after,
        offset,
        limit: i64::from(query.size) + 1,
    };
    connection.transaction(|connection| {
        let rows: Vec<(i64, Option<String>)> = page.load(connection)?;
        let count = rows.first().map_or(0, |(count, _)| *count);
        let ids: Vec<String> = rows.into_iter().filter_map(|(_, id)| id).collect();
        let ids = list(ids.iter().map(String::as_str))?;
        let variants: Vec<VariantRow> = SelectProducts { ids: &ids }.load(connection)?;
        Ok(found_products(
            with_prices(connection, store_id, variants)?,
            query.size,
            count,
        )?)
    })
}

/// Reads the number of products that match with each id of a page, or alone where the page is
/// empty.
pub(crate) struct SelectPage<'a> {
    /// As [`words::query`] made it.
    pub(crate) words: Option<String>,
    /// The id of the product before the page.
    pub(crate) after: Option<&'a str>,
    pub(crate) offset: i64,
    pub(crate) limit: i64,
}

impl Parameters<Sqlite> for SelectPage<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        match name {
            "words" => out.push_bind_param::<Nullable<Text>, _>(&self.words),
            "after" => out.push_bind_param::<Nullable<Text>, _>(&self.after),
            "limit" => out.push_bind_param::<BigInt, _>(&self.limit),
            "offset" => out.push_bind_param::<BigInt, _>(&self.offset),
            _ => Err(unknown_parameter(name)),
        }
    }
}

fn page_of(source: &str, having_words: &str) -> SqlText {
    let parts = [("source", source), ("having_words", having_words)];
    SqlText::new(include_str!("sql/page.sql"), &parts)
}

static ALL: LazyLock<SqlText> = LazyLock::new(|| page_of("products", ""));
// CROSS JOIN makes SQLite read the words first.
static MATCHING: LazyLock<SqlText> = LazyLock::new(|| {
    page_of(
        "product_words CROSS JOIN products ON row_id = product_words.rowid",
        "AND product_words MATCH :words",
    )
});

impl QueryFragment<Sqlite> for SelectPage<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        let text = if self.words.is_some() {
            &MATCHING
        } else {
            &ALL
        };
        text.write(self, &mut out)
    }
}

/// There are two texts in all, so that each connection prepares each of them once.
impl QueryId for SelectPage<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for SelectPage<'_> {
    type SqlType = (BigInt, Nullable<Text>);
}

impl RunQueryDsl<SqliteConnection> for SelectPage<'_> {}

statement! {
    /// Reads the variants of the products whose ids a JSON list names.
    pub(crate) struct SelectProducts<'a> for Sqlite, returns products::SqlType,
    text SqlText::new(include_str!("sql/products.sql"), &[]),
    {
        ids: &'a str = Text,
    }
}
