//! The statements that read a page of products and count the products that match a query.

use diesel::Connection as _;
use diesel::sqlite::SqliteConnection;
use pressline_domain::catalog::{ProductMatches, ProductQuery};
use pressline_store_kit::{
    ProductWindow, ProductsOf, Sql, Values, VariantRow, found_products, product_count,
    search_products,
};

use super::prices_of::{list, with_prices};
use super::words::CATALOG;
use crate::error::Failure;
use crate::sql::load;
use crate::words;

static PAGE_OF_ALL: Sql = Sql::new(include_str!("sql/page_of_all.sql"));
static PAGE_OF_MATCHING: Sql = Sql::new(include_str!("sql/page_of_matching.sql"));
static PAGE_OF_NEXT: Sql = Sql::new(include_str!("sql/page_of_next.sql"));
pub(crate) static PRODUCTS: Sql = Sql::new(include_str!("sql/products.sql"));

/// Version of the catalog, number of matching products, and id of a product.
type PageRow = (i64, Option<i64>, Option<String>);

pub(super) fn search(
    connection: &mut SqliteConnection,
    store_id: &str,
    query: &ProductQuery,
) -> Result<ProductMatches, Failure> {
    let key = query.key.as_ref();
    let words = key.map(|key| words::query(CATALOG, key.words()));
    let window = ProductWindow::new(query);
    let page = |connection: &mut SqliteConnection, of| {
        let (text, values) = page_of(of, words.as_deref().unwrap_or_default(), &window);
        let rows: Vec<PageRow> = load(connection, text, &values)?;
        let first = rows.first().map(|(version, count, _)| (*version, *count));
        let counted = product_count(first, query.counted)?;
        let product_ids: Vec<String> = rows.into_iter().filter_map(|(.., id)| id).collect();
        let ids = list(product_ids.iter().map(String::as_str))?;
        let values = [("ids", ids.into())];
        let variant_rows: Vec<VariantRow> = load(connection, &PRODUCTS, &values)?;
        let variants = with_prices(connection, store_id, variant_rows)?;
        Ok(found_products(variants, query.size, counted)?)
    };
    // One snapshot for all statements of the page.
    connection.transaction(|connection| search_products(query, |of| page(connection, of)))
}

/// Returns the statement that reads the ids of a page of products. `words` is a query from
/// [`words::query`].
pub(crate) fn page_of<'v>(
    of: ProductsOf,
    words: &'v str,
    window: &ProductWindow<'v>,
) -> (&'static Sql, Values<'v>) {
    let text = match of {
        ProductsOf::All => &PAGE_OF_ALL,
        ProductsOf::Matching => &PAGE_OF_MATCHING,
        ProductsOf::Next => &PAGE_OF_NEXT,
    };
    let values = vec![
        ("counted", window.counted.into()),
        ("words", words.into()),
        ("after", window.after.into()),
        ("limit", window.limit.into()),
        ("offset", window.offset.into()),
    ];
    (text, values)
}
