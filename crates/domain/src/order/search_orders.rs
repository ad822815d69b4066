//! The search for a store's orders.

use std::sync::Arc;

use super::rest_of_page::RestOfPage;
use super::search::{BATCH_BYTES, SearchDraft, SearchQuery, ValidSearch};
use crate::order::{Order, OrderError, OrderReader};
use crate::store::Store;
use crate::value::page::Page;

/// A page of found orders.
#[derive(Debug)]
pub struct SearchPage {
    /// The page, newest orders first: only its first orders if they exceed [`BATCH_BYTES`].
    pub page: Page<Order>,
    /// Reader of the other orders of the page; `None` if `page` contains all orders.
    pub rest: Option<RestOfPage>,
}

impl OrderReader {
    /// Returns a page of the store's orders that match `draft`, newest first. On a very large page,
    /// only the first orders are loaded; read the others from [`SearchPage::rest`], batch by batch.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] for an invalid `draft`, [`OrderError::Repository`] if a query fails.
    #[pressline_kit::boxed]
    pub async fn search(
        &self,
        store: &Store,
        draft: &SearchDraft,
    ) -> Result<SearchPage, OrderError> {
        let ValidSearch { filter, window } = draft.check(store.id)?;
        let query = SearchQuery {
            filter,
            start: window.start,
            size: window.size,
            bytes: BATCH_BYTES,
        };
        let result = self.orders.search(store.id, &query).await?;
        let last = result.last().filter(|_| result.more);
        let rest = result
            .rest
            .into_iter()
            .map(|reference| (store.id, reference));
        Ok(SearchPage {
            page: window.page(result.orders, last.as_ref()),
            rest: RestOfPage::new(Arc::clone(&self.orders), rest.collect()),
        })
    }
}
