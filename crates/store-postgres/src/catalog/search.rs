//! The statements that read a page of products and count the products that match a query.

use std::sync::LazyLock;

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::AstPass;
use diesel::sql_types::{Array, BigInt, Nullable, Text};
use pressline_domain::catalog::{ProductMatches, ProductQuery};
use pressline_domain::error::RepositoryError;
use pressline_store_kit::schema::products;
use pressline_store_kit::{
    Parameters, ProductWindow, ProductsOf, SqlText, VariantRow, found_products, is_whole,
    many_match, product_count, statement_texts,
};

use crate::columns::{Price, PriceSql, priced};
use crate::error::Failure;
use crate::words;

/// Reads the variants of a page's products and of the product after it, sorted by product id.
pub(crate) struct SelectProducts {
    store_id: String,
    /// Search words have the form of the SQL type `tsquery`.
    of: ProductsOf<String>,
    window: ProductWindow,
}

/// Version of the catalog; number of matching products, `None` if the caller knows it; a variant,
/// `None` if the page is empty; and the variant's prices.
type Row = (i64, Option<i64>, Option<VariantRow>, Vec<Price>);

/// May send two statements: the second reads a later snapshot than the first.
pub(super) fn search(
    connection: &mut PgConnection,
    store_id: &str,
    query: &ProductQuery,
) -> Result<ProductMatches, Failure> {
    let first = SelectProducts::first(store_id, query);
    let found = first.found(connection, query)?;
    // The next variants did not fill the page, so all matches have to be read.
    if matches!(first.of, ProductsOf::Next(_)) && !is_whole(&found, query) {
        return SelectProducts::new(store_id, query).found(connection, query);
    }
    Ok(found)
}

impl SelectProducts {
    /// Searches all products, and so reads the whole page.
    pub(crate) fn new(store_id: &str, query: &ProductQuery) -> Self {
        // All stores share the words of products, so that they have no store prefix.
        let without_prefix = |tsquery: String| tsquery.replace(words::MARK, "");
        let tsquery = query.key.as_ref().map(words::tsquery).map(without_prefix);
        Self {
            store_id: store_id.to_owned(),
            of: tsquery.map_or(ProductsOf::All, ProductsOf::Matching),
            window: ProductWindow::new(query),
        }
    }

    /// Reads only [`ProductsOf::Next`] if many products match; a second statement may be needed.
    pub(crate) fn first(store_id: &str, query: &ProductQuery) -> Self {
        let mut select = Self::new(store_id, query);
        select.of = match select.of {
            ProductsOf::Matching(words) if many_match(query) => ProductsOf::Next(words),
            of => of,
        };
        select
    }

    fn found(
        &self,
        connection: &mut PgConnection,
        query: &ProductQuery,
    ) -> Result<ProductMatches, Failure> {
        let rows: Vec<Row> = self.load(connection)?;
        let counted = match rows.first() {
            None => {
                let message = "the catalog has no version".into();
                return Err(RepositoryError::Refused(message).into());
            }
            Some((version, count, ..)) => product_count(*version, *count, query.counted),
        };
        let variants = rows
            .into_iter()
            .filter_map(|(.., variant, prices)| Some(priced(variant?, prices)))
            .collect();
        Ok(found_products(variants, query.size, counted)?)
    }
}

impl Parameters<Pg> for SelectProducts {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match (name, &self.of) {
            ("store_id", _) => out.push_bind_param::<Text, _>(&self.store_id),
            ("tsquery", ProductsOf::Matching(words) | ProductsOf::Next(words)) => {
                out.push_bind_param::<Text, _>(words)
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
    .map(|page| SqlText::new(include_str!("sql/products.sql"), &[("page", page)]))
});

statement_texts!(
    SelectProducts,
    Pg,
    (
        BigInt,
        Nullable<BigInt>,
        Nullable<products::SqlType>,
        Array<PriceSql>,
    ),
    |select| Ok(select.of.choose(&TEXTS))
);

impl RunQueryDsl<PgConnection> for &SelectProducts {}
