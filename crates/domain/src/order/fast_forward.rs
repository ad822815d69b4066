//! Fast-forwarding the orders of a test store.

use super::concurrent::Concurrent;
use super::due::lease_end;
use super::port::FastForward;
use super::{DueOrders, OrderError};
use crate::value::{OrderId, StoreId};

/// Maximum number of orders to fast-forward in one transaction. Due orders are processed before the
/// next transaction begins, long before another server can take them.
const TRANSACTION_SIZE: u32 = 500;
/// Maximum number of due orders to process concurrently, so that several changes share a commit.
const MOVED_AT_ONCE: usize = 16;

impl DueOrders {
    /// Makes the windows and holds of all orders of the test store `store` end `seconds` seconds
    /// earlier. Processes the orders that are then due, and returns the number of orders that
    /// changed. The caller must check that `store` is a test store.
    ///
    /// # Errors
    /// [`OrderError::Repository`] if the storage fails, perhaps after fast-forwarding some orders.
    pub async fn fast_forward(&self, store: StoreId, seconds: u32) -> Result<u64, OrderError> {
        // An order that is created meanwhile keeps its full window, as the caller expects.
        let before = OrderId::first_after(self.writer.now());
        let (mut from, mut moved) = (OrderId::LOWEST, 0);
        loop {
            let now = self.writer.now();
            let fast_forward = FastForward {
                from,
                before,
                count: TRANSACTION_SIZE,
                millis: i64::from(seconds) * 1000,
                now,
                until: lease_end(now),
            };
            let batch = self
                .writer
                .reader
                .orders
                .fast_forward(store, &fast_forward)
                .await?;
            moved += self.move_all_due(store, &batch.due).await?;
            match batch.last.and_then(|last| last.next()) {
                Some(next) => from = next,
                None => return Ok(moved),
            }
        }
    }

    async fn move_all_due(&self, store: StoreId, mut due: &[OrderId]) -> Result<u64, OrderError> {
        let mut moved = 0;
        while !due.is_empty() {
            let loaded = self.load_due(store, &mut due).await?;
            let futures = loaded.into_iter().map(|order| self.move_due(order));
            let mut moves = Concurrent::new(futures.collect(), MOVED_AT_ONCE);
            while let Some(changes) = moves.next().await {
                // Counts orders: an order can have several changes.
                moved += u64::from(changes? > 0);
            }
        }
        Ok(moved)
    }
}
