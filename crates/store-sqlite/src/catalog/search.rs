//! The statements that read a page of products and count the products that match a query.

use std::sync::LazyLock;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Nullable, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::catalog::{ProductMatches, ProductQuery};
use pressline_store_kit::schema::products;
use pressline_store_kit::{
    ProductWindow, ProductsOf, SqlText, VariantRow, found_products, product_count, search_products,
    statement,
};

use super::prices_of::{list, with_prices};
use super::words::CATALOG;
use crate::error::Failure;
use crate::words;

pub(super) fn search(
    connection: &mut SqliteConnection,
    store_id: &str,
    query: &ProductQuery,
) -> Result<ProductMatches, Failure> {
    let key = query.key.as_ref();
    let words = key.map(|key| words::query(CATALOG, key.words()));
    let window = ProductWindow::new(query);
    let page = |connection: &mut SqliteConnection, of| {
        let select = SelectPage {
            of,
            words: words.as_deref().unwrap_or_default(),
            after: window.after,
            offset: window.offset,
            limit: window.limit,
            counted: window.counted,
        };
        let rows: Vec<(i64, Option<i64>, Option<String>)> = select.load(connection)?;
        let first = rows.first().map(|(version, count, _)| (*version, *count));
        let counted = product_count(first, query.counted)?;
        let ids: Vec<String> = rows.into_iter().filter_map(|(.., id)| id).collect();
        let ids = list(ids.iter().map(String::as_str))?;
        let variants: Vec<VariantRow> = SelectProducts { ids: &ids }.load(connection)?;
        let variants = with_prices(connection, store_id, variants)?;
        Ok(found_products(variants, query.size, counted)?)
    };
    // One snapshot for all statements of the page.
    connection.transaction(|connection| search_products(query, |of| page(connection, of)))
}

statement! {
    /// Reads the version of the catalog and the number of matching products, with each product id
    /// of the page. If the page is empty, reads a single row without an id.
    pub(crate) struct SelectPage<'a> for Sqlite, returns (BigInt, Nullable<BigInt>, Nullable<Text>),
    chosen by of: ProductsOf, texts TEXTS,
    {
        /// Search words in the form of a query from `words::query`.
        words: &'a str = Text,
        after: &'a str = Text,
        offset: i64 = BigInt,
        limit: i64 = BigInt,
        counted: Option<i64> = Nullable<BigInt>,
    }
}

static TEXTS: LazyLock<[(ProductsOf, SqlText); 3]> = LazyLock::new(|| {
    let pages = [
        include_str!("sql/page_of_all.sql"),
        include_str!("sql/page_of_matching.sql"),
        include_str!("sql/page_of_next.sql"),
    ];
    ProductsOf::texts(include_str!("sql/page.sql"), pages)
});

statement! {
    pub(crate) struct SelectProducts<'a> for Sqlite, returns products::SqlType,
    text SqlText::new(include_str!("sql/products.sql"), &[]),
    {
        ids: &'a str = Text,
    }
}
