//! Searching the products that a store can order.

use super::{ProductQuery, ProductStart};
use crate::catalog::Product;
use crate::field::Field;
use crate::id::StoreId;
use crate::limits;
use crate::money::Currency;
use crate::report::Report;
use crate::time::Timestamp;

use crate::page;
use crate::page::cursor;

/// A search for products as it came in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProductSearchDraft {
    /// Beginnings of words.
    pub search_key: Field<String>,
    /// Which page, from 1.
    pub page: Field<i64>,
    /// Products on a page.
    pub size: Field<i64>,
    /// The `nextCursor` of the page before.
    pub cursor: Field<String>,
}

/// A page of products.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductPage {
    /// The products, by id.
    pub products: Vec<Product>,
    /// The store's currency, which units are priced in.
    pub currency: Currency,
    /// The moment whose prices count.
    pub at: Timestamp,
    /// All matches, wherever the page begins.
    pub count: u64,
    /// The page's number; `None` where a cursor was followed.
    pub page: Option<u32>,
    /// Products on a full page.
    pub size: u32,
    /// True where there is a next page.
    pub has_next: bool,
    /// True where there is a page before.
    pub has_previous: bool,
    /// Leads to the next page, where there is one.
    pub next_cursor: Option<String>,
}

/// A search for products whose values have been checked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ValidProductSearch {
    pub(crate) query: ProductQuery,
    pub(crate) page: Option<u32>,
}

impl ProductSearchDraft {
    /// Checks everything for a search of this store, and reports all problems at once.
    pub(crate) fn check(&self, store: StoreId) -> Result<ValidProductSearch, Report> {
        let report = &mut Report::default();
        let key = page::key(&self.search_key, report);
        let size = page::number(
            &self.size,
            "size",
            page::DEFAULT_SIZE,
            limits::PAGE_SIZE,
            report,
        );
        let page = page::number(&self.page, "page", 1, limits::PAGE, report);
        let read = |text: &str| cursor::read_product(text, store, key.as_ref());
        let after = page::after(&self.cursor, &self.page, read, report);
        if !report.violations.is_empty() {
            return Err(std::mem::take(report));
        }
        let (start, page) = match after {
            Some(id) => (ProductStart::After(id), None),
            None => (
                ProductStart::Offset(page::entries_before(page, size)),
                Some(page),
            ),
        };
        Ok(ValidProductSearch {
            query: ProductQuery { key, start, size },
            page,
        })
    }
}
