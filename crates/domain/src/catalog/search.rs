//! Searching the products that a store can order.

use crate::catalog::Product;
use crate::field::Field;
use crate::id::StoreId;
use crate::money::Currency;
use crate::page::{self, ListDigest, Page, PageDraft, Window};
use crate::report::Report;
use crate::time::Timestamp;
use pressline_kit::words::SearchKey;

/// A search for products as it came in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProductSearchDraft {
    /// Beginnings of words.
    pub search_key: Field<String>,
    /// Which page.
    pub paging: PageDraft,
}

/// A page of products, by id.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductPage {
    /// The page.
    pub page: Page<Product>,
    /// Number of products that the search finds, on all pages.
    pub count: u64,
    /// The store's currency, which units are priced in.
    pub currency: Currency,
    /// The moment whose prices count.
    pub at: Timestamp,
}

pub(crate) struct ValidProductSearch {
    pub(crate) key: Option<SearchKey>,
    pub(crate) window: Window<String>,
}

impl ProductSearchDraft {
    pub(crate) fn check(&self, store: StoreId) -> Result<ValidProductSearch, Report> {
        let report = &mut Report::default();
        let key = page::search_key(&self.search_key, report);
        let digest = ListDigest::new("products").store(store).key(key.as_ref());
        let list = digest.list("searchKey");
        let window = self.paging.check(list, report);
        report.check()?;
        Ok(ValidProductSearch { key, window })
    }
}
