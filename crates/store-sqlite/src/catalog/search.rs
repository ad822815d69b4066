//! The statements that read a page of products and count the products that match a query.

use std::sync::LazyLock;

use diesel::prelude::*;
use diesel::query_builder::AstPass;
use diesel::sql_types::{BigInt, Nullable, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::catalog::{ProductMatches, ProductQuery};
use pressline_domain::error::RepositoryError;
use pressline_store_kit::schema::products;
use pressline_store_kit::{
    Parameters, ProductWindow, ProductsOf, SqlText, VariantRow, found_products, is_whole,
    many_match, product_count, statement, statement_texts,
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
    let words = query
        .key
        .as_ref()
        .map(|key| words::query(CATALOG, key.words()));
    let of = match words.as_deref() {
        None => ProductsOf::All,
        Some(words) => ProductsOf::Matching(words),
    };
    // One snapshot for all statements of the page.
    connection.transaction(|connection| {
        if let ProductsOf::Matching(words) = of
            && many_match(query)
        {
            // If the next variants do not fill the page, all matches have to be read.
            let found = page(connection, store_id, query, ProductsOf::Next(words))?;
            if is_whole(&found, query) {
                return Ok(found);
            }
        }
        page(connection, store_id, query, of)
    })
}

fn page(
    connection: &mut SqliteConnection,
    store_id: &str,
    query: &ProductQuery,
    of: ProductsOf<&str>,
) -> Result<ProductMatches, Failure> {
    let select = SelectPage {
        of,
        window: ProductWindow::new(query),
    };
    let rows: Vec<(i64, Option<i64>, Option<String>)> = select.load(connection)?;
    let counted = match rows.first() {
        None => return Err(RepositoryError::Refused("the catalog has no version".into()).into()),
        Some((version, count, _)) => product_count(*version, *count, query.counted),
    };
    let ids: Vec<String> = rows.into_iter().filter_map(|(.., id)| id).collect();
    let ids = list(ids.iter().map(String::as_str))?;
    let variants: Vec<VariantRow> = SelectProducts { ids: &ids }.load(connection)?;
    let variants = with_prices(connection, store_id, variants)?;
    Ok(found_products(variants, query.size, counted)?)
}

/// Statement that reads the version of the catalog and the number of matching products, with each
/// product id of the page. If the page is empty, it reads a single row without an id.
pub(crate) struct SelectPage<'a> {
    /// Search words have the form of a query from `words::query`.
    pub(crate) of: ProductsOf<&'a str>,
    pub(crate) window: ProductWindow,
}

impl Parameters<Sqlite> for SelectPage<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        match (name, &self.of) {
            ("words", ProductsOf::Matching(words) | ProductsOf::Next(words)) => {
                out.push_bind_param::<Text, _>(*words)
            }
            _ => self.window.bind(name, out),
        }
    }
}

static TEXTS: LazyLock<[SqlText; 3]> = LazyLock::new(|| {
    [
        include_str!("sql/page_of_all.sql"),
        include_str!("sql/page_of_matching.sql"),
        include_str!("sql/page_of_next.sql"),
    ]
    .map(|page| SqlText::new(include_str!("sql/page.sql"), &[("page", page)]))
});

statement_texts!(
    SelectPage<'_>,
    Sqlite,
    (BigInt, Nullable<BigInt>, Nullable<Text>),
    |select| Ok(select.of.choose(&TEXTS))
);

statement! {
    pub(crate) struct SelectProducts<'a> for Sqlite, returns products::SqlType,
    text SqlText::new(include_str!("sql/products.sql"), &[]),
    {
        ids: &'a str = Text,
    }
}
