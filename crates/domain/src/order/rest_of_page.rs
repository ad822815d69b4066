//! Reads the orders of a very large page batch by batch.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use crate::error::{RepositoryError, Result};
use crate::order::{Order, OrderRepository};
use crate::value::{OrderId, StoreId};

use super::search::{BATCH_BYTES, Batch, OrderReference};

/// Reader of the last orders of a very large page: the orders that the search did not load.
pub struct RestOfPage {
    repository: Arc<dyn OrderRepository>,
    references: VecDeque<(StoreId, OrderReference)>,
}

impl RestOfPage {
    /// Creates a reader of the orders in `references`; `None` if there are none.
    pub fn new(
        repository: Arc<dyn OrderRepository>,
        references: Vec<(StoreId, OrderReference)>,
    ) -> Option<Self> {
        (!references.is_empty()).then(|| Self {
            repository,
            references: references.into(),
        })
    }

    /// Returns the next orders, newest first and all of one store: up to [`BATCH_BYTES`], but at
    /// least one order. Returns `None` at the end of the page. After an error, the call can be
    /// repeated for the same orders.
    ///
    /// # Errors
    /// Same errors as [`OrderRepository::load`]; [`RepositoryError::Refused`] if an order is gone.
    #[pressline_kit::boxed]
    pub async fn next(&mut self) -> Result<Option<Vec<Order>>> {
        let Some(&(store, _)) = self.references.front() else {
            return Ok(None);
        };
        let mut batch = Batch::new(BATCH_BYTES);
        let references = self.references.iter();
        // A call of the repository is about a single store.
        let next = references.take_while(|(of, order)| *of == store && batch.takes(order.bytes));
        let ids: Vec<OrderId> = next.map(|(_, reference)| reference.id).collect();
        // Orders may have grown since the search. Then the next call loads the others.
        let orders = self.repository.load(store, &ids, BATCH_BYTES).await?;
        let loaded = orders.iter().map(|order| order.parts().id);
        if orders.is_empty() || !loaded.eq(ids.iter().copied().take(orders.len())) {
            let gone = "an order of the page no longer exists";
            return Err(RepositoryError::Refused(gone.into()));
        }
        self.references.drain(..orders.len());
        Ok(Some(orders))
    }

    /// Returns the size of the largest remaining batch in bytes, as measured by the search.
    pub fn largest_batch(&self) -> u64 {
        let mut largest = 0;
        let mut batch = Batch::new(BATCH_BYTES);
        for (_, reference) in &self.references {
            if !batch.takes(reference.bytes) {
                batch = Batch::new(BATCH_BYTES);
                // The first order of a batch always fits.
                let _ = batch.takes(reference.bytes);
            }
            largest = largest.max(batch.bytes());
        }
        largest
    }
}

impl fmt::Debug for RestOfPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RestOfPage")
            .field("references", &self.references.len())
            .finish_non_exhaustive()
    }
}
