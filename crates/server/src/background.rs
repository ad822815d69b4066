//! What the server does by itself when time has passed: it ends windows and holds, and removes sessions that are over.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use pressline_backoffice::operator::{FormService, SessionService, UploadService};
use pressline_backoffice::task::TaskService;
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{OrderId, StoreId};
use pressline_domain::order::{DueOrder, Order, OrderService};
use tokio::task::JoinSet;

/// How often the server looks for orders that are due, so that each is moved within two seconds.
const INTERVAL: Duration = Duration::from_secs(1);
/// Maximum number of orders to take in one call. No other server takes them for 20 seconds.
const TAKEN: u32 = 256;
/// The least time for each of them, so that a server without requests moves at most a thousand orders a
/// second: the database may be busy with the requests of other servers.
const PACE: Duration = Duration::from_millis(1);
/// Orders that are moved at the same time. They wait for the writes of requests, see
/// `pressline_store_kit::GroupWriter::is_background`.
const AT_ONCE: usize = 16;

/// How often sessions that are over are removed. They are refused whether they are removed or not.
const SESSIONS_INTERVAL: Duration = Duration::from_secs(600);
const SESSIONS: u32 = 500;
/// How many files of imports, and how many tasks.
const LARGE: u32 = 20;
/// Time between two removals while there is more to remove.
const SESSIONS_PAUSE: Duration = Duration::from_millis(100);

/// Moves orders that are due, as long as the process runs. Any number of servers may do so.
pub(crate) async fn move_due_orders(orders: OrderService) {
    loop {
        let begin = Instant::now();
        match orders.take_due(TAKEN).await {
            Ok(due) if !due.is_empty() => {
                let least = PACE * u32::try_from(due.len()).unwrap_or(TAKEN);
                settle(&orders, due).await;
                tokio::time::sleep(least.saturating_sub(begin.elapsed())).await;
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
    let mut by_store: BTreeMap<StoreId, Vec<OrderId>> = BTreeMap::new();
    for due in due {
        by_store.entry(due.store).or_default().push(due.order);
    }
    let mut running = JoinSet::new();
    for (store, ids) in by_store {
        if let Err(error) = settle_of_store(orders, store, &ids, &mut running).await {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(%store, error, "due orders were not loaded; they are taken again later");
        }
    }
    while running.join_next().await.is_some() {}
}

/// Loads orders of a store, and begins to move them when others are done.
async fn settle_of_store(
    orders: &OrderService,
    store: StoreId,
    mut ids: &[OrderId],
    running: &mut JoinSet<()>,
) -> Result<(), RepositoryError> {
    while !ids.is_empty() {
        let loaded = orders.load_due(store, ids).await?;
        let last = loaded.last().map(|order| order.content.id);
        // None of the rest exists where nothing is loaded.
        let done = ids.iter().position(|id| Some(*id) == last);
        let done = done.map_or(ids.len(), |place| place + 1);
        ids = ids.get(done..).unwrap_or_default();
        for order in loaded {
            if running.len() >= AT_ONCE {
                running.join_next().await;
            }
            running.spawn(settle_one(orders.clone(), order));
        }
    }
    Ok(())
}

async fn settle_one(orders: OrderService, order: Order) {
    let (store, id) = (order.content.store_id, order.content.id);
    if let Err(error) = orders.settle_due(order).await {
        let error: &dyn std::error::Error = &error;
        tracing::warn!(%store, order = %id, error, "a due order was not moved; it is taken again later");
    }
}

pub(crate) struct OldRows {
    pub(crate) sessions: SessionService,
    pub(crate) forms: FormService,
    pub(crate) uploads: UploadService,
    pub(crate) tasks: TaskService,
}

/// Removes sessions that are over, links for signing in that have expired, old results of forms, files
/// that were not imported and old tasks, as long as the process runs. Any number of servers may do so.
pub(crate) async fn prune_old_rows(old: OldRows) {
    loop {
        let pause = match prune(&old).await {
            Ok(removed) if removed >= u64::from(SESSIONS) => SESSIONS_PAUSE,
            Ok(_) => SESSIONS_INTERVAL,
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                tracing::warn!(error, "old rows were not removed; the next attempt follows");
                SESSIONS_INTERVAL
            }
        };
        tokio::time::sleep(pause).await;
    }
}

async fn prune(old: &OldRows) -> Result<u64, RepositoryError> {
    let of_sessions = old.sessions.prune(SESSIONS).await?;
    let of_forms = old.forms.prune(SESSIONS).await?;
    // Few at a time, because each can be large. There are no more in a day.
    old.uploads.prune(LARGE).await?;
    old.tasks.prune(LARGE).await?;
    Ok(of_sessions.max(of_forms))
}
