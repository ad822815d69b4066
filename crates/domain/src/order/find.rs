//! Finding one order by any of its names.

use super::Lookup;
use super::search::SearchDraft;
use crate::error::RepositoryError;
use crate::field::Field;
use crate::id::ServiceOrderId;
use crate::limits;
use crate::order::Order;
use crate::page::PageDraft;
use crate::store::Store;

use super::{OrderError, OrderService};

impl OrderService {
    /// The order with this name: the caller's order id, else the service order id, else the
    /// service's id.
    ///
    /// # Errors
    /// [`OrderError::NotFound`] and [`OrderError::Repository`].
    pub async fn find(&self, store: &Store, name: &str) -> Result<Order, OrderError> {
        match self.stored(store, name).await? {
            Some(order) => Ok(order),
            None => self
                .find_by_id(store, name)
                .await?
                .ok_or(OrderError::NotFound),
        }
    }

    /// The order with this order id or service order id.
    pub(super) async fn stored(
        &self,
        store: &Store,
        name: &str,
    ) -> Result<Option<Order>, RepositoryError> {
        let number = ServiceOrderId::number_in(name, &store.prefix);
        self.orders
            .find(
                store.id,
                &Lookup {
                    order_id: name.to_owned(),
                    number,
                },
            )
            .await
    }

    /// The order with this id, which is one of the words that a search knows it by. Other orders
    /// may mention it too.
    async fn find_by_id(&self, store: &Store, name: &str) -> Result<Option<Order>, OrderError> {
        let Ok(id) = name.parse() else {
            return Ok(None);
        };
        let mut draft = SearchDraft {
            search_key: Field::Value(name.to_owned()),
            paging: PageDraft {
                size: Field::Value(i64::from(limits::PAGE_SIZE)),
                ..PageDraft::default()
            },
            ..SearchDraft::default()
        };
        loop {
            let page = self.search(store, &draft).await?.page;
            if let Some(found) = page
                .entries
                .into_iter()
                .find(|order| order.parts().id == id)
            {
                return Ok(Some(found));
            }
            let Some(cursor) = page.next_cursor else {
                return Ok(None);
            };
            draft.paging.cursor = Field::Value(cursor);
        }
    }
}
