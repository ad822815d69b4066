//! Decides how a page of products is read.

use pressline_domain::catalog::{
    CatalogVersion, ProductCount, ProductMatches, ProductQuery, ProductStart,
};
use pressline_domain::error::RepositoryError;

use crate::failure::Failure;

/// Number of matching products from which a search reads products in id order until the page is
/// full. If fewer products match, reading all matches is faster.
const MANY_MATCHES: u64 = 2000;
/// Maximum page offset for a search that reads products in id order. The search also reads the
/// products before the offset, so a higher offset would be slow.
const SCAN_OFFSET: u64 = 500;

/// Products to page through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProductsOf {
    /// All products of the catalog.
    All,
    /// Products that match the search words.
    Matching,
    /// Products that match the search words, among the 4,000 variants after the page's start.
    Next,
}

/// Start and length of a page of products, as statement parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductWindow<'a> {
    /// Id of the product after which the page starts; empty if the page starts at `offset`.
    pub after: &'a str,
    /// Number of matching products before the page; 0 if the page starts after the product `after`.
    pub offset: i64,
    /// Page size plus one. If `limit` products are found, there is a next page.
    pub limit: i64,
    /// Catalog version in which the caller has counted the matches; `None` without a count.
    pub counted: Option<i64>,
}

impl<'a> ProductWindow<'a> {
    /// Converts the start and the size of `query` to statement parameters.
    pub fn new(query: &'a ProductQuery) -> Self {
        let (after, offset) = match &query.start {
            ProductStart::Offset(offset) => ("", i64::try_from(*offset).unwrap_or(i64::MAX)),
            ProductStart::After(id) => (id.as_str(), 0),
        };
        Self {
            after,
            offset,
            limit: i64::from(query.size) + 1,
            counted: query.counted.map(|counted| counted.version.0),
        }
    }
}

/// Answers `query` by one or two calls of `page`, which reads a page of the given products.
///
/// # Errors
/// Returns the error of `page`.
pub fn search_products(
    query: &ProductQuery,
    mut page: impl FnMut(ProductsOf) -> Result<ProductMatches, Failure>,
) -> Result<ProductMatches, Failure> {
    if query.key.is_none() {
        return page(ProductsOf::All);
    }
    if many_match(query) {
        let matches = page(ProductsOf::Next)?;
        if is_whole(&matches, query) {
            return Ok(matches);
        }
        // The next variants did not fill the page, so all matches have to be read.
    }
    page(ProductsOf::Matching)
}

/// Returns `true` if reading products in id order usually fills the page quickly: the count in
/// `query` is high, and the page starts after a given product or at a low offset.
fn many_match(query: &ProductQuery) -> bool {
    let near = match query.start {
        ProductStart::Offset(offset) => offset <= SCAN_OFFSET,
        ProductStart::After(_) => true,
    };
    let common = query
        .counted
        .is_some_and(|counted| counted.count >= MANY_MATCHES);
    near && common
}

/// Returns `true` if `matches`, read without counting, answers `query` completely: the page is
/// full, and the count in `query` is of the page's catalog version.
fn is_whole(matches: &ProductMatches, query: &ProductQuery) -> bool {
    matches.more && query.counted == Some(matches.counted)
}

/// Returns the number of matching products. `first` has values of the first row: the catalog's
/// version, and the count if the statement has counted. Otherwise, the count is `known` if it is of
/// this version, else 0.
///
/// # Errors
/// [`RepositoryError::Refused`] without a row: the catalog has no version.
pub fn product_count(
    first: Option<(i64, Option<i64>)>,
    known: Option<ProductCount>,
) -> Result<ProductCount, RepositoryError> {
    let missing = || RepositoryError::Refused("the catalog has no version".into());
    let (number, total) = first.ok_or_else(missing)?;
    let version = CatalogVersion(number);
    let known = known.filter(|known| known.version == version);
    let count = total.and_then(|count| u64::try_from(count).ok());
    Ok(ProductCount {
        version,
        count: count.or(known.map(|known| known.count)).unwrap_or_default(),
    })
}
