//! Decides how a page of products is read.

use pressline_domain::catalog::{
    CatalogVersion, ProductCount, ProductMatches, ProductQuery, ProductStart,
};

/// Number of matches from which on reading products in id order until the page is full is faster
/// than reading all matches.
const COMMON: u64 = 2000;
/// Maximum offset for reading products in id order: rows before the offset are read too.
const NEAR: u64 = 500;

/// Start and length of a page of products, as statement parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductWindow {
    /// Id of the product before the page; empty for a page without a predecessor. No product id is
    /// empty.
    pub after: String,
    /// Number of products to skip.
    pub offset: i64,
    /// Page size plus one. If that many products are found, there is a next page.
    pub limit: i64,
    /// Catalog version of the count that the caller knows; `None` without a count.
    pub counted: Option<i64>,
}

impl ProductWindow {
    /// Creates the window of `query`.
    pub fn new(query: &ProductQuery) -> Self {
        let (after, offset) = match &query.start {
            ProductStart::Offset(offset) => {
                (String::new(), i64::try_from(*offset).unwrap_or(i64::MAX))
            }
            ProductStart::After(id) => (id.clone(), 0),
        };
        Self {
            after,
            offset,
            limit: i64::from(query.size) + 1,
            counted: query.counted.map(|counted| counted.version.0),
        }
    }
}

/// Returns whether the page is first searched among the next products in id order, because many are
/// known to match the key.
pub fn many_match(query: &ProductQuery) -> bool {
    let near = match query.start {
        ProductStart::Offset(offset) => offset <= NEAR,
        ProductStart::After(_) => true,
    };
    let common = query.counted.is_some_and(|counted| counted.count >= COMMON);
    query.key.is_some() && near && common
}

/// Returns whether a page found among the next products only is complete: it is full, and the count
/// known from `query` has the page's catalog version.
pub fn is_whole(found: &ProductMatches, query: &ProductQuery) -> bool {
    found.more && query.counted == Some(found.counted)
}

/// Returns the `count` that a statement has read, or else the `known` count. The statement reads no
/// count if `known` has the same `version`, or if it read only the next products.
pub fn product_count(
    version: i64,
    count: Option<i64>,
    known: Option<ProductCount>,
) -> ProductCount {
    let version = CatalogVersion(version);
    let known = known.filter(|known| known.version == version);
    let count = count.and_then(|count| u64::try_from(count).ok());
    ProductCount {
        version,
        count: count.or(known.map(|known| known.count)).unwrap_or_default(),
    }
}
