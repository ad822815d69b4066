//! What the server does by itself when time has passed: it ends windows and holds.

use std::time::Duration;

use pressline_domain::order::{DueOrder, OrderService};
use tokio::task::JoinSet;

/// How often the server looks for orders that are due, so that each is moved within two seconds.
const INTERVAL: Duration = Duration::from_secs(1);
/// Orders that are taken at a time. They are left to this server for a minute, which is long enough.
const TAKEN: u32 = 256;
/// Orders that are moved at the same time: a quarter of the writes that share a transaction, so that at
/// most that part of a full group is background work.
const AT_ONCE: usize = 16;

/// Moves orders that are due, as long as the process runs. Any number of servers may do so.
pub(crate) async fn move_due_orders(orders: OrderService) {
    loop {
        match orders.take_due(TAKEN).await {
            Ok(due) if !due.is_empty() => {
                settle(&orders, due).await;
                continue;
            }
            Ok(_) => {}
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                tracing::warn!(
                    error,
                    "looking for due orders failed; the next attempt follows"
                );
            }
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

/// Moves the orders, some at the same time, so that they share transactions.
async fn settle(orders: &OrderService, due: Vec<DueOrder>) {
    let mut running = JoinSet::new();
    for due in due {
        if running.len() >= AT_ONCE {
            running.join_next().await;
        }
        let orders = orders.clone();
        running.spawn(async move {
            if let Err(error) = orders.settle_due(due).await {
                let error: &dyn std::error::Error = &error;
                let (store, order) = (due.store, due.order);
                tracing::warn!(%store, %order, error, "a due order was not moved; it is taken again later");
            }
        });
    }
    while running.join_next().await.is_some() {}
}
