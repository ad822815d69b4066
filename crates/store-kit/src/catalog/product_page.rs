//! How a page of products is read.

use pressline_domain::catalog::{
    CatalogVersion, ProductCount, ProductMatches, ProductQuery, ProductStart,
};

/// From so many matches on, walking the products by id finds a page sooner than reading all that
/// match.
const COMMON: u64 = 2000;
/// Up to so many matches are passed over by walking.
const NEAR: u64 = 500;

/// Where a page of products begins and how many are read, as parameters of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductWindow {
    /// The id of the product before the page; empty, as no id is, where the page does not follow one.
    pub after: String,
    /// How many products are passed over.
    pub offset: i64,
    /// One more than the page holds. If so many are found, there is a next page.
    pub limit: i64,
    /// The version of the catalog whose count the caller knows.
    pub counted: Option<i64>,
}

impl ProductWindow {
    /// Returns the window of a query.
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

/// Returns whether a page is looked for among the next products first, because many are known to
/// match the key.
pub fn many_match(query: &ProductQuery) -> bool {
    let near = match query.start {
        ProductStart::Offset(offset) => offset <= NEAR,
        ProductStart::After(_) => true,
    };
    let common = query.counted.is_some_and(|counted| counted.count >= COMMON);
    query.key.is_some() && near && common
}

/// Returns whether a page that was looked for among the next products only is the whole answer: it is
/// full, and the known count is of the state that the page is of.
pub fn is_whole(found: &ProductMatches, query: &ProductQuery) -> bool {
    found.more && query.counted == Some(found.counted)
}

/// Returns the count that a statement has read, else the one that the caller knows. The statement
/// leaves it out where `known` is of this version, or where only the next products were looked at.
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
