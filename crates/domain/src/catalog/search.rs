//! Requests that search the products of a store.

use crate::catalog::Product;
use crate::check::{Field, Report};
use crate::value::page::{ListDigest, Page, PageDraft, Window, search_key};
use crate::value::{Currency, StoreId, Timestamp};
use pressline_kit::words::SearchKey;

/// A product search as received, not yet checked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProductSearchDraft {
    /// Words, or beginnings of words, to search for; absent or blank for all products.
    pub search_key: Field<String>,
    /// Size of the page, and its number or cursor.
    pub paging: PageDraft,
}

/// A page of products sorted by id.
#[derive(Debug, Clone, PartialEq)]
pub struct ProductPage {
    /// Products of the page, with the page number and the cursor of the next page.
    pub page: Page<Product>,
    /// Number of products that match the search, on all pages.
    pub count: u64,
    /// Currency of the store, used for all unit prices.
    pub currency: Currency,
    /// Time at which the prices are valid.
    pub at: Timestamp,
}

pub(crate) struct ValidProductSearch {
    pub(crate) key: Option<SearchKey>,
    pub(crate) window: Window<String>,
}

impl ProductSearchDraft {
    pub(crate) fn check(&self, store: StoreId) -> Result<ValidProductSearch, Report> {
        let report = &mut Report::default();
        let key = search_key(&self.search_key, report);
        // A cursor must only continue the same search of the same store.
        let digest = ListDigest::new("products").store(store).key(key.as_ref());
        let list = digest.list("searchKey");
        let window = self.paging.check(list, report);
        report.check()?;
        Ok(ValidProductSearch { key, window })
    }
}
