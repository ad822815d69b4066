//! What the service does by itself when time has passed.

use pressline_kit::boxed;

use super::command::too_many_changes;
use super::{DueOrder, Order, OrderError, OrderService, OrderWrite};
use crate::error::{RepositoryError, Result};
use crate::event::Actor;
use crate::fulfilment::{Caller, Decision, due};
use crate::id::{OrderId, StoreId};
use crate::time::Timestamp;

/// How long a taken order is left to the server that took it, in milliseconds. If that server ends, or its write
/// fails, a server takes the order again after this time. A longer lease would only delay that: an order that
/// two servers have taken is still moved once.
const LEASE: i64 = 20_000;
const LOADED_BYTES: u64 = 4 * 1024 * 1024;
/// How often what is due of an order is decided again when another change came in between.
const ATTEMPTS: usize = 16;

pub(super) fn lease_end(now: Timestamp) -> Timestamp {
    now.plus_millis(LEASE)
}

impl OrderService {
    /// Takes up to `count` due orders. No other server takes them for 20 seconds.
    #[boxed]
    pub async fn take_due(&self, count: u32) -> Result<Vec<DueOrder>> {
        let now = self.clock.now();
        self.orders.take_due(now, lease_end(now), count).await
    }

    /// Loads orders of one store that were taken: the first of these, and as many of the others as fit into
    /// a few megabytes.
    #[boxed]
    pub async fn load_due(&self, store: StoreId, orders: &[OrderId]) -> Result<Vec<Order>> {
        self.orders.load(store, orders, LOADED_BYTES).await
    }

    /// Does what is due of an order: ends holds, and makes items ready whose window has ended. Returns the
    /// number of changes. Nothing is done twice, also if two servers do it.
    ///
    /// # Errors
    /// [`OrderError::Repository`]. The order is taken again later.
    #[boxed]
    pub async fn settle_due(&self, order: Order) -> Result<u32, OrderError> {
        let service = Caller {
            actor: Actor::Service,
            request_id: None,
        };
        let (store, id) = (order.content.store_id, order.content.id);
        let (mut changes, mut known) = (0, Some(order));
        for _ in 0..ATTEMPTS {
            let stored = match known.take() {
                Some(order) => order,
                None => match self.load_order(store, id).await? {
                    Some(order) => order,
                    None => return Ok(changes),
                },
            };
            // One thing at a time: a hold that ends can make the order due again at once.
            let decision = due(&stored, &service.at(self.clock.now()));
            let change = match decision.map_err(|refusal| OrderError::refused(refusal, &stored))? {
                Decision::Unchanged => return Ok(changes),
                Decision::Changed(change) => *change,
            };
            match self.write(OrderWrite::change(change)).await {
                Ok(order) => {
                    changes += 1;
                    known = Some(order);
                }
                Err(RepositoryError::Stale) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(too_many_changes())
    }
}
