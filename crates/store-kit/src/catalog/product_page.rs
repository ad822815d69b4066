//! Decides how a page of products is read.

use diesel::backend::Backend;
use diesel::prelude::*;
use diesel::query_builder::AstPass;
use diesel::serialize::ToSql;
use diesel::sql_types::{BigInt, Nullable, Text};
use pressline_domain::catalog::{
    CatalogVersion, ProductCount, ProductMatches, ProductQuery, ProductStart,
};

use crate::sql::{Parameters, unknown_parameter};

/// Number of matching products from which a search reads products in id order until the page is
/// full. If fewer products match, reading all matches is faster.
const COMMON: u64 = 2000;
/// Maximum page offset for a search that reads products in id order. The search also reads the
/// products before the offset, so a higher offset would be slow.
const NEAR: u64 = 500;

/// Products to page through. `W` is the type of the search words in the form that the database's
/// index needs.
#[derive(Debug, Clone, Copy)]
pub enum ProductsOf<W> {
    /// All products of the catalog.
    All,
    /// Products that match the search words.
    Matching(W),
    /// Products that match the search words, among the 4,000 variants after the page's start.
    Next(W),
}

impl<W> ProductsOf<W> {
    /// Returns the item of the variant of `self`; the items are in the order of the variants.
    pub fn choose<'t, T>(&self, [all, matching, next]: &'t [T; 3]) -> &'t T {
        match self {
            Self::All => all,
            Self::Matching(_) => matching,
            Self::Next(_) => next,
        }
    }
}

/// Start and length of a page of products, as statement parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductWindow {
    /// Id of the product after which the page starts; empty if the page starts at `offset`.
    pub after: String,
    /// Number of matching products before the page; 0 if the page starts after the product `after`.
    pub offset: i64,
    /// Page size plus one. If `limit` products are found, there is a next page.
    pub limit: i64,
    /// Catalog version in which the caller has counted the matches; `None` without a count.
    pub counted: Option<i64>,
}

impl<DB: Backend> Parameters<DB> for ProductWindow
where
    String: ToSql<Text, DB>,
    i64: ToSql<BigInt, DB>,
{
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, DB>) -> QueryResult<()> {
        match name {
            "after" => out.push_bind_param::<Text, _>(&self.after),
            "offset" => out.push_bind_param::<BigInt, _>(&self.offset),
            "limit" => out.push_bind_param::<BigInt, _>(&self.limit),
            "counted" => out.push_bind_param::<Nullable<BigInt>, _>(&self.counted),
            _ => Err(unknown_parameter(name)),
        }
    }
}

impl ProductWindow {
    /// Converts the start and the size of `query` to statement parameters.
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

/// Returns `true` if reading products in id order usually fills the page quickly: the count in
/// `query` is high, and the page starts after a given product or at a low offset.
pub fn many_match(query: &ProductQuery) -> bool {
    let near = match query.start {
        ProductStart::Offset(offset) => offset <= NEAR,
        ProductStart::After(_) => true,
    };
    let common = query.counted.is_some_and(|counted| counted.count >= COMMON);
    query.key.is_some() && near && common
}

/// Returns `true` if `found`, read without counting, answers `query` completely: the page is full,
/// and the count in `query` is of the page's catalog version.
pub fn is_whole(found: &ProductMatches, query: &ProductQuery) -> bool {
    found.more && query.counted == Some(found.counted)
}

/// Returns the number of matching products in the catalog `version`: `count` if a statement has
/// counted them, else the count in `known` if it is of this version. Returns 0 if both are missing.
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
