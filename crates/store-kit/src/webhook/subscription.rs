//! Finds subscriptions with pending events, and leases them.

use pressline_backoffice::webhook::{
    RESTART_PAUSES, Subscription, SubscriptionKey, longest_restart_pause,
};
use pressline_domain::error::Result;
use pressline_domain::value::time::Timestamp;

use super::subscription_values::{of_subscription, unsigned};
use crate::cold_store::Db;
use crate::corrupt::StoredRow;
use crate::failure::{Failure, restore_all};

/// Maximum number of subscriptions of one endpoint that a query returns, so that an endpoint with
/// many subscriptions leaves room for other endpoints.
const OF_ENDPOINT: i64 = 16;

fn select_pending(counters: &str) -> String {
    format!(
        "SELECT store_id, endpoint_id
         FROM (
             SELECT
                 store_id,
                 endpoint_id,
                 row_number() OVER (PARTITION BY endpoint_id ORDER BY served_at, store_id) AS place
             FROM (
                 SELECT subscription.store_id, subscription.endpoint_id, subscription.served_at
                 -- In this order, which SQLite keeps: each subscription is read once.
                 FROM webhook_subscriptions AS subscription
                 CROSS JOIN {counters} AS counter
                 CROSS JOIN webhook_endpoints AS endpoint
                 WHERE counter.store_id = subscription.store_id
                   AND endpoint.endpoint_id = subscription.endpoint_id
                   AND subscription.heard
                   AND (subscription.leased_until IS NULL OR subscription.leased_until <= :now)
                   AND (
                       counter.last_sequence > subscription.cursor
                       OR subscription.next_due <= :now
                       OR endpoint.probing_store = subscription.store_id
                   )
                   AND endpoint.disabled_at IS NULL
                   AND (endpoint.paused_until IS NULL OR endpoint.paused_until <= :now)
                   AND (endpoint.probing_store IS NULL OR endpoint.probing_store = subscription.store_id)
                 -- Stores that were created after an endpoint of all stores.
                 UNION ALL
                 SELECT counter.store_id, endpoint.endpoint_id, 0
                 FROM webhook_endpoints AS endpoint
                 CROSS JOIN {counters} AS counter
                 WHERE endpoint.store_id IS NULL
                   AND endpoint.stores IS NULL
                   AND endpoint.disabled_at IS NULL
                   AND (endpoint.paused_until IS NULL OR endpoint.paused_until <= :now)
                   AND (endpoint.probing_store IS NULL OR endpoint.probing_store = counter.store_id)
                   AND (counter.last_sequence > 0 OR endpoint.probing_store = counter.store_id)
                   AND NOT EXISTS (
                       SELECT 1
                       FROM webhook_subscriptions AS subscription
                       WHERE subscription.store_id = counter.store_id
                         AND subscription.endpoint_id = endpoint.endpoint_id
                   )
             ) AS news
         ) AS news
         WHERE place <= :of_endpoint
         ORDER BY place, endpoint_id
         LIMIT :limit"
    )
}

/// Returns up to `limit` subscriptions with pending events and without a lease holder. Endpoints
/// are served round-robin; the subscriptions of an endpoint come in order of `served_at`, oldest
/// first.
pub(super) fn with_pending_events(
    db: &mut Db<'_>,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<SubscriptionKey>, Failure> {
    let rows = db.load::<(String, String)>(
        &select_pending(db.dialect.counters),
        &[
            ("now", now.into()),
            ("of_endpoint", OF_ENDPOINT.into()),
            ("limit", limit.into()),
        ],
    )?;
    restore_all(&rows, subscription_key)
}

pub(super) fn lease(
    db: &mut Db<'_>,
    subscription: SubscriptionKey,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<Subscription>, Failure> {
    let mut leased = db.load::<(i64, i64)>(
        "UPDATE webhook_subscriptions
         SET lease = lease + 1, leased_until = :until
         WHERE store_id = :store_id
           AND endpoint_id = :endpoint_id
           AND heard
           AND (leased_until IS NULL OR leased_until <= :now)
         RETURNING cursor, lease",
        &of_subscription(subscription, [("now", now.into()), ("until", until.into())]),
    )?;
    // No row: the subscription is leased or ended, or does not exist yet.
    if leased.is_empty() {
        leased = lease_first(db, subscription, until)?;
    }
    Ok(leased.pop().map(|(cursor, lease)| Subscription {
        key: subscription,
        cursor: unsigned(cursor),
        lease: unsigned(lease),
    }))
}

/// Adds `subscription`, leased until `until`, if its endpoint has the scope of all stores. The
/// subscription does not exist yet if the store was created after the endpoint. Returns cursor and
/// lease number of the added subscription; an empty list if it already exists or the endpoint has
/// another scope.
fn lease_first(
    db: &mut Db<'_>,
    subscription: SubscriptionKey,
    until: Timestamp,
) -> Result<Vec<(i64, i64)>, Failure> {
    let rows = db.load::<(i64, i64)>(
        "INSERT INTO webhook_subscriptions (store_id, endpoint_id, cursor, lease, leased_until)
         SELECT stores.store_id, webhook_endpoints.endpoint_id, 0, 1, :until
         FROM webhook_endpoints
         CROSS JOIN stores
         WHERE webhook_endpoints.endpoint_id = :endpoint_id
           AND webhook_endpoints.store_id IS NULL
           AND webhook_endpoints.stores IS NULL
           AND stores.store_id = :store_id
         ON CONFLICT DO NOTHING
         RETURNING cursor, lease",
        &of_subscription(subscription, [("until", until.into())]),
    )?;
    Ok(rows)
}

pub(super) fn end_leases(db: &mut Db<'_>, now: Timestamp) -> Result<(), Failure> {
    let last = RESTART_PAUSES.len() - 1;
    for (restarts, pause) in RESTART_PAUSES.into_iter().enumerate() {
        let next = (restarts + 1).min(last);
        // Updated rows do not match again with the next number of restarts: their new lease ends
        // within the longest pause.
        db.execute(
            "UPDATE webhook_subscriptions
             SET leased_until = :until, restarts = :next
             WHERE leased_until > :longest
               AND restarts = :restarts",
            &[
                ("until", now.plus_millis(pause).into()),
                ("next", (next as u64).into()),
                ("longest", longest_restart_pause(now).into()),
                ("restarts", (restarts as u64).into()),
            ],
        )?;
    }
    Ok(())
}

pub(super) fn subscription_key((store, endpoint): &(String, String)) -> Result<SubscriptionKey> {
    let stored = StoredRow("webhook_subscriptions", &[store, endpoint]);
    Ok(SubscriptionKey {
        store: stored.read("store_id", store.parse())?,
        endpoint: stored.read("endpoint_id", endpoint.parse())?,
    })
}
