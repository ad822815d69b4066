//! Moving the due times of a test store's orders forward.

use futures_util::{StreamExt as _, stream};

use super::due::lease_end;
use super::port::FastForward;
use super::{OrderError, OrderService};
use crate::id::{OrderId, StoreId};

/// Orders that are brought nearer in one transaction. Those of them that fall due are moved before the
/// next ones are, so that they are moved long before their lease ends.
const AT_ONCE: u32 = 500;
/// Orders that are moved at the same time: enough to share commits.
const MOVED_AT_ONCE: usize = 16;

impl OrderService {
    /// Brings nearer by `seconds` all that falls due of the orders of a test store, moves the orders that fall due by it,
    /// and returns their number.
    ///
    /// # Errors
    /// [`OrderError::Repository`]. A part of the orders has come nearer then.
    pub async fn fast_forward(&self, store: StoreId, seconds: u32) -> Result<u64, OrderError> {
        // Later orders are as far from falling due as the caller expects of a new order.
        let before = OrderId::first_after(self.clock.now());
        let (mut from, mut moved) = (OrderId::LOWEST, 0);
        loop {
            let now = self.clock.now();
            let fast_forward = FastForward {
                from,
                before,
                count: AT_ONCE,
                millis: i64::from(seconds) * 1000,
                now,
                until: lease_end(now),
            };
            let batch = self.orders.fast_forward(store, &fast_forward).await?;
            moved += self.settle_all(store, &batch.due).await?;
            match batch.last.and_then(|last| last.next()) {
                Some(next) => from = next,
                None => return Ok(moved),
            }
        }
    }

    async fn settle_all(&self, store: StoreId, mut due: &[OrderId]) -> Result<u64, OrderError> {
        let mut moved = 0;
        while !due.is_empty() {
            let loaded = self.load_due(store, due).await?;
            let last = loaded.last().map(|order| order.content.id);
            // None of the rest exists if nothing is loaded.
            let done = due.iter().position(|id| Some(*id) == last);
            due = done.map_or(&[], |done| due.get(done + 1..).unwrap_or_default());
            let settled = loaded.into_iter().map(|order| self.settle_due(order));
            let settled: Vec<_> = settled.collect();
            let mut settled = stream::iter(settled).buffer_unordered(MOVED_AT_ONCE);
            while let Some(changes) = settled.next().await {
                moved += u64::from(changes? > 0);
            }
        }
        Ok(moved)
    }
}
