//! Finding orders.

use std::sync::Arc;

use super::{BATCH_BYTES, RestOfPage, SearchDraft, SearchPage, SearchQuery, ValidSearch};
use crate::store::Store;

use crate::order::{OrderError, OrderService};

impl OrderService {
    /// A page of the store's orders, newest first.
    ///
    /// Whether there is a next page, and the cursor that leads to it, are known at once. Of a very
    /// large page only the first orders are: the others are read from [`SearchPage::rest`], batch
    /// by batch.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] and [`OrderError::Repository`].
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
        let found = self.orders.search(store.id, &query).await?;
        let last = found.last().filter(|_| found.more);
        let rest = found.rest.into_iter();
        let rest = rest.map(|reference| (store.id, reference));
        Ok(SearchPage {
            page: window.page(found.orders, last.as_ref()),
            rest: RestOfPage::new(Arc::clone(&self.orders), rest.collect()),
        })
    }
}
