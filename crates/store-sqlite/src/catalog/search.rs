//! The statements that read a page of products, and count all that match.

use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment};
use diesel::sql_types::{BigInt, Nullable, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::catalog::{FoundProducts, ProductQuery, ProductStart};
use pressline_store_kit::schema::products;
use pressline_store_kit::{VariantRow, found_products};

use super::words::CATALOG;
use super::{list, prepared_by_text, with_prices};
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
    // One more than the page holds, which tells whether there is a next one.
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

impl QueryFragment<Sqlite> for SelectPage<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql(
            "WITH matching AS MATERIALIZED (SELECT DISTINCT COALESCE(product_id, sku) AS id FROM ",
        );
        match &self.words {
            // CROSS JOIN is how SQLite is told that the words come first.
            Some(words) => {
                out.push_sql(
                    "product_words CROSS JOIN products ON row_id = product_words.rowid \
                     WHERE product_words MATCH ",
                );
                out.push_bind_param::<Text, _>(words)?;
                out.push_sql(" AND ");
            }
            None => out.push_sql("products WHERE "),
        }
        out.push_sql(
            "retired = 0 AND within_time()) SELECT count, id FROM (SELECT count(*) AS count FROM matching) \
             LEFT JOIN (SELECT id FROM matching WHERE COALESCE(id > ",
        );
        out.push_bind_param::<Nullable<Text>, _>(&self.after)?;
        out.push_sql(", TRUE) ORDER BY id LIMIT ");
        out.push_bind_param::<BigInt, _>(&self.limit)?;
        out.push_sql(" OFFSET ");
        out.push_bind_param::<BigInt, _>(&self.offset)?;
        out.push_sql(") ON TRUE");
        Ok(())
    }
}

impl Query for SelectPage<'_> {
    type SqlType = (BigInt, Nullable<Text>);
}

/// Reads the variants of the products whose ids a JSON list names.
pub(crate) struct SelectProducts<'a> {
    pub(crate) ids: &'a str,
}

impl QueryFragment<Sqlite> for SelectProducts<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql("SELECT ");
        products::all_columns.walk_ast(out.reborrow())?;
        out.push_sql(
            " FROM products WHERE COALESCE(product_id, sku) IN (SELECT value FROM json_each(",
        );
        out.push_bind_param::<Text, _>(self.ids)?;
        out.push_sql(")) AND retired = 0 ORDER BY COALESCE(product_id, sku), sku");
        Ok(())
    }
}

impl Query for SelectProducts<'_> {
    type SqlType = products::SqlType;
}

prepared_by_text!(SelectPage SelectProducts);
