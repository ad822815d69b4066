//! Finding orders.

use crate::search::{Position, SearchDraft, SearchPage, Start, cursor};
use crate::store::Store;

use super::{OrderError, OrderService};

impl OrderService {
    /// A page of the store's orders, newest first.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] and [`OrderError::Repository`].
    pub async fn search(&self, store: &Store, draft: &SearchDraft) -> Result<SearchPage, OrderError> {
        let search = draft.check(store.id)?;
        let query = search.query;
        let found = self.orders.search(store.id, &query).await?;
        let last = found.orders.last().filter(|_| found.more);
        Ok(SearchPage {
            page: search.page,
            size: query.size,
            has_next: found.more,
            has_previous: query.start != Start::Offset(0),
            next_cursor: last.map(|order| cursor::write(Position::of(order), store.id, &query.filter)),
            orders: found.orders,
        })
    }
}
