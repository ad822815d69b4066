//! Periodic work of the server: ends holds and cooling-off windows of orders when they are due, and
//! removes old rows.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pressline_backoffice::operator::{FormService, SessionService, UploadService};
use pressline_backoffice::task::TaskService;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{DueOrder, DueOrders, Order};
use pressline_domain::value::{OrderId, StoreId};
use tokio::task::JoinSet;

use crate::clock::ClockMonitor;

/// Pause after a query without due orders, so that due orders are moved within two seconds.
const INTERVAL: Duration = Duration::from_secs(1);
/// Approximate maximum number of orders that a call of `take_due` takes. Other servers do not take
/// the same orders for 20 seconds.
const TAKEN: u32 = 256;
/// Minimum average time per due order, so that a server processes at most a thousand orders a
/// second. Other servers may keep the database busy even if this server has no requests.
const PACE: Duration = Duration::from_millis(1);
/// Maximum number of due orders processed concurrently. Writes of requests take precedence over
/// writes for due orders, see `pressline_store_kit::GroupJob::is_background`.
const CONCURRENT_ORDERS: usize = 16;

/// Interval between removals of old rows. An ended session is refused even while its row exists.
const SESSIONS_INTERVAL: Duration = Duration::from_secs(600);
// Maximum number of sessions, and of form results, per removal.
const SESSIONS: u32 = 500;
/// Maximum number of import files, and of tasks, that one statement removes. Each can have
/// megabytes, and the statement must end within `database.statement_timeout_ms`.
const LARGE: u32 = 5;
/// Pause between two removals while more old rows remain, instead of [`SESSIONS_INTERVAL`].
const SESSIONS_PAUSE: Duration = Duration::from_millis(100);

/// Never returns. Several servers can run this function on one database.
/// While the time is in doubt, no order is due.
pub(crate) async fn move_due_orders(orders: DueOrders, clock: Arc<ClockMonitor>) {
    loop {
        if !clock.permits_work() {
            tokio::time::sleep(INTERVAL).await;
            continue;
        }
        let begin = Instant::now();
        match orders.take_due(TAKEN).await {
            Ok(due) if !due.is_empty() => {
                let least = PACE * u32::try_from(due.len()).unwrap_or(TAKEN);
                move_due(&orders, due).await;
                tokio::time::sleep(least.saturating_sub(begin.elapsed())).await;
                // More orders may be due, so there is no pause.
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

/// Processes up to [`CONCURRENT_ORDERS`] orders concurrently to share transactions.
async fn move_due(orders: &DueOrders, due: Vec<DueOrder>) {
    let mut by_store: BTreeMap<StoreId, Vec<OrderId>> = BTreeMap::new();
    for due in due {
        by_store.entry(due.store).or_default().push(due.order);
    }
    let mut running = JoinSet::new();
    for (store, ids) in by_store {
        if let Err(error) = move_due_of_store(orders, store, &ids, &mut running).await {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(%store, error, "due orders were not loaded; they are taken again later");
        }
    }
    // The pace counts up to the last move, so all moves must have ended.
    while running.join_next().await.is_some() {}
}

/// Spawns a task in `running` for each order. At most [`CONCURRENT_ORDERS`] tasks run at a time.
async fn move_due_of_store(
    orders: &DueOrders,
    store: StoreId,
    mut ids: &[OrderId],
    running: &mut JoinSet<()>,
) -> Result<(), RepositoryError> {
    while !ids.is_empty() {
        for order in orders.load_due(store, &mut ids).await? {
            if running.len() >= CONCURRENT_ORDERS {
                running.join_next().await;
            }
            running.spawn(move_one(orders.clone(), order));
        }
    }
    Ok(())
}

async fn move_one(orders: DueOrders, order: Order) {
    let (store, id) = (order.content.store_id, order.content.id);
    if let Err(error) = orders.move_due(order).await {
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

/// Never returns. Several servers can run this function on one database.
/// While the time is in doubt, no row is old.
pub(crate) async fn prune_old_rows(old: OldRows, clock: Arc<ClockMonitor>) {
    loop {
        if !clock.permits_work() {
            tokio::time::sleep(INTERVAL).await;
            continue;
        }
        let pause = match prune(&old).await {
            Ok(true) => SESSIONS_PAUSE,
            Ok(false) => SESSIONS_INTERVAL,
            Err(error) => {
                let error: &dyn std::error::Error = &error;
                tracing::warn!(error, "old rows were not removed; the next attempt follows");
                SESSIONS_INTERVAL
            }
        };
        tokio::time::sleep(pause).await;
    }
}

/// Returns whether a batch was full, so that more old rows may remain.
async fn prune(old: &OldRows) -> Result<bool, RepositoryError> {
    let of_sessions = old.sessions.prune(SESSIONS).await?;
    let of_forms = old.forms.prune(SESSIONS).await?;
    let of_tasks = old.tasks.prune(LARGE).await?;
    // Last, because the files are the largest rows, whose removal is the most likely to fail.
    let of_uploads = old.uploads.prune(LARGE).await?;
    Ok(of_sessions.max(of_forms) >= u64::from(SESSIONS)
        || of_tasks.max(of_uploads) >= u64::from(LARGE))
}
