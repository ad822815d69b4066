//! Processing orders that are due: windows and holds that have ended.

use pressline_kit::boxed;

use super::writer::too_many_changes;
use super::{DueOrder, DueOrders, Order, OrderError, OrderWrite, load_next};
use crate::error::{RepositoryError, Result};
use crate::event::Actor;
use crate::fulfilment::{Caller, Decision, due};
use crate::value::{OrderId, StoreId, Timestamp};

/// Milliseconds until a server may take an order again, if another server stopped or failed. The
/// lease need not outlast the processing: an order taken twice is still changed only once.
const LEASE: i64 = 20_000;
// Maximum size of the due orders that are loaded together, in bytes.
const LOADED_BYTES: u64 = 4 * 1024 * 1024;
/// Each change of the order, also by another server or caller, costs a decision.
const ATTEMPTS: usize = 16;

pub(super) fn lease_end(now: Timestamp) -> Timestamp {
    now.plus_millis(LEASE)
}

impl DueOrders {
    /// Returns up to about `count` due orders, and no other call returns them for 20 seconds.
    #[boxed]
    pub async fn take_due(&self, count: u32) -> Result<Vec<DueOrder>> {
        let now = self.writer.now();
        self.writer
            .reader
            .orders
            .take_due(now, lease_end(now), count)
            .await
    }

    /// Loads the next of `orders`, up to 4 MiB, and removes their ids, as [`load_next`] does.
    /// `orders` are orders of `store` that [`take_due`](Self::take_due) has returned.
    #[boxed]
    pub async fn load_due<'a>(
        &'a self,
        store: StoreId,
        orders: &'a mut &[OrderId],
    ) -> Result<Vec<Order>> {
        load_next(&*self.writer.reader.orders, store, orders, LOADED_BYTES).await
    }

    /// Ends the holds of `order` that are due, and makes items ready if their cooling-off window
    /// has ended. Returns the number of changes. Nothing is done twice, even if two servers process
    /// the same order.
    ///
    /// # Errors
    /// [`OrderError::Repository`] if the storage fails. The order is taken again later.
    #[boxed]
    pub async fn move_due(&self, order: Order) -> Result<u32, OrderError> {
        let service = Caller::new(Actor::Service);
        let (store, id) = (order.content.store_id, order.content.id);
        // The first round needs no read, nor does a round after a successful write.
        let (mut changes, mut known) = (0, Some(order));
        for _ in 0..ATTEMPTS {
            let stored = match known.take() {
                Some(order) => order,
                None => match self.writer.reader.load_order(store, id).await? {
                    Some(order) => order,
                    None => return Ok(changes),
                },
            };
            // One change per round: another hold or window can end while a change is written.
            let decision = due(&stored, &service.at(self.writer.now()));
            let change = match decision.map_err(|refusal| OrderError::refused(refusal, &stored))? {
                Decision::Unchanged => return Ok(changes),
                Decision::Changed(change) => *change,
            };
            match self.writer.write(OrderWrite::change(change)).await {
                Ok(order) => {
                    changes += 1;
                    known = Some(order);
                }
                // Another change came first, so the order is loaded again.
                Err(RepositoryError::Stale) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(too_many_changes())
    }
}
