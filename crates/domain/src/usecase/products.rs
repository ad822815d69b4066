//! Finding products to order.

use crate::ports::ProductStart;
use crate::search::{ProductPage, ProductSearchDraft, cursor};
use crate::store::Store;

use super::{OrderError, OrderService};

impl OrderService {
    /// A page of the products that can be ordered, by id, with the prices that hold for the store
    /// now.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] and [`OrderError::Repository`].
    pub async fn search_products(
        &self,
        store: &Store,
        draft: &ProductSearchDraft,
    ) -> Result<ProductPage, OrderError> {
        let search = draft.check(store.id)?;
        let query = search.query;
        let found = self.catalog.search(store.id, &query).await?;
        let last = found.products.last().filter(|_| found.more);
        Ok(ProductPage {
            currency: store.currency,
            at: self.clock.now(),
            count: found.count,
            page: search.page,
            size: query.size,
            has_next: found.more,
            has_previous: query.start != ProductStart::Offset(0),
            next_cursor: last
                .map(|last| cursor::write_product(&last.id, store.id, query.key.as_ref())),
            products: found.products,
        })
    }
}
