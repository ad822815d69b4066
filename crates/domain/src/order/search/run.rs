//! Finding orders.

use std::sync::Arc;

use super::{RestOfPage, SearchDraft, SearchPage, Start};
use crate::page::cursor;
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
        let search = draft.check(store.id)?;
        let query = search.query;
        let found = self.orders.search(store.id, &query).await?;
        let last = found.last().filter(|_| found.more);
        Ok(SearchPage {
            page: search.page,
            size: query.size,
            has_next: found.more,
            has_previous: query.start != Start::Offset(0),
            next_cursor: last.map(|position| cursor::write(position, store.id, &query.filter)),
            orders: found.orders,
            rest: RestOfPage::new(Arc::clone(&self.orders), store.id, found.rest),
        })
    }
}
