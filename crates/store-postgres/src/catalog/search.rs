//! The statements that read a page of products and count the products that match a query.

use std::sync::LazyLock;

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, Text};
use pressline_domain::catalog::{ProductMatches, ProductQuery};
use pressline_kit::words::SearchKey;
use pressline_store_kit::schema::products;
use pressline_store_kit::{
    ProductWindow, ProductsOf, SqlText, VariantRow, found_products, product_count, search_products,
    statement,
};

use crate::columns::{Price, PriceSql, priced};
use crate::error::Failure;
use crate::words;

statement! {
    /// Reads the variants of a page's products and of the product after it, sorted by product id.
    pub(crate) struct SelectProducts<'a> for Pg, returns RowSql,
    chosen by of: ProductsOf, texts TEXTS,
    {
        store_id: &'a str = Text,
        /// Search words in the form of the SQL type `tsquery`, without a store prefix.
        tsquery: &'a str = Text,
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
    ProductsOf::texts(include_str!("sql/products.sql"), pages)
});

/// Version of the catalog; number of matching products, `None` if the caller knows it; a variant,
/// `None` if the page is empty; and the variant's prices.
type Row = (i64, Option<i64>, Option<VariantRow>, Vec<Price>);

type RowSql = (
    BigInt,
    Nullable<BigInt>,
    Nullable<products::SqlType>,
    Array<PriceSql>,
);

/// May send two statements: the second reads a later snapshot than the first.
pub(super) fn search(
    connection: &mut PgConnection,
    store_id: &str,
    query: &ProductQuery,
) -> Result<ProductMatches, Failure> {
    let tsquery = query.key.as_ref().map(words_of_products);
    let window = ProductWindow::new(query);
    search_products(query, |of| {
        let select = SelectProducts {
            of,
            store_id,
            tsquery: tsquery.as_deref().unwrap_or_default(),
            after: window.after,
            offset: window.offset,
            limit: window.limit,
            counted: window.counted,
        };
        let rows: Vec<Row> = select.load(connection)?;
        let first = rows.first().map(|(version, count, ..)| (*version, *count));
        let counted = product_count(first, query.counted)?;
        let variants = rows
            .into_iter()
            .filter_map(|(.., variant, prices)| Some(priced(variant?, prices)))
            .collect();
        Ok(found_products(variants, query.size, counted)?)
    })
}

/// Returns a text of the SQL type `tsquery`. All stores share the words of products, so that they
/// have no store prefix.
pub(crate) fn words_of_products(key: &SearchKey) -> String {
    words::tsquery(key).replace(words::MARK, "")
}
