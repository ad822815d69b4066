//! The statements that read a page of products and count the products that match a query.

use diesel::pg::PgConnection;
use pressline_domain::catalog::{ProductMatches, ProductQuery};
use pressline_kit::words::SearchKey;
use pressline_store_kit::{
    PriceRow, ProductWindow, ProductsOf, Row, Sql, VariantRow, found_products, product_count,
    search_products,
};

use crate::arrays::{List, Values, load};
use crate::error::Failure;
use crate::words;

static PAGE_OF_ALL: Sql = Sql::new(include_str!("sql/page_of_all.sql"));
static PAGE_OF_MATCHING: Sql = Sql::new(include_str!("sql/page_of_matching.sql"));
static PAGE_OF_NEXT: Sql = Sql::new(include_str!("sql/page_of_next.sql"));

/// Returns the statement that reads the variants of a page's products and of the product after it,
/// sorted by product id.
pub(crate) fn page(of: ProductsOf) -> &'static Sql {
    match of {
        ProductsOf::All => &PAGE_OF_ALL,
        ProductsOf::Matching => &PAGE_OF_MATCHING,
        ProductsOf::Next => &PAGE_OF_NEXT,
    }
}

/// Returns the values of [`page`]. `tsquery` is a text of the SQL type `tsquery`, without a store
/// prefix.
pub(crate) fn page_values<'v>(
    store_id: &'v str,
    tsquery: &'v str,
    window: &ProductWindow<'v>,
) -> Values<'v> {
    vec![
        ("store_id", store_id.into()),
        ("tsquery", tsquery.into()),
        ("after", window.after.into()),
        ("offset", window.offset.into()),
        ("limit", window.limit.into()),
        ("counted", window.counted.into()),
    ]
}

#[derive(Row)]
#[row(read)]
struct ProductRow {
    /// Version of the catalog.
    version: i64,
    /// Number of matching products; `None` if the caller knows it.
    count: Option<i64>,
    /// `None` if the page is empty.
    variant: Option<VariantRow>,
    prices: List<PriceRow>,
}

/// May send two statements: the second reads a later snapshot than the first.
pub(super) fn search(
    connection: &mut PgConnection,
    store_id: &str,
    query: &ProductQuery,
) -> Result<ProductMatches, Failure> {
    let tsquery = query.key.as_ref().map(words_of_products);
    let window = ProductWindow::new(query);
    search_products(query, |of| {
        let values = page_values(store_id, tsquery.as_deref().unwrap_or_default(), &window);
        let product_rows: Vec<ProductRow> = load(connection, page(of), &values)?;
        let first = product_rows.first().map(|row| (row.version, row.count));
        let counted = product_count(first, query.counted)?;
        let rows = product_rows.into_iter();
        let variants = rows
            .filter_map(|row| Some((row.variant?, row.prices.into())))
            .collect();
        Ok(found_products(variants, query.size, counted)?)
    })
}

/// Returns a text of the SQL type `tsquery`. All stores share the words of products, so that they
/// have no store prefix.
pub(crate) fn words_of_products(key: &SearchKey) -> String {
    words::tsquery(key).replace(words::MARK, "")
}
