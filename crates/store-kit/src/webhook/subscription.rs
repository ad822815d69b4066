//! Finds subscriptions with pending events, leases them, and reads their open messages.

use std::collections::BTreeSet;

use async_trait::async_trait;
use pressline_backoffice::webhook::{
    OpenMessage, RESTART_PAUSES, RecordResult, Subscription, SubscriptionClock, SubscriptionKey,
    SubscriptionOutcome, SubscriptionRepository, longest_restart_pause,
};
use pressline_domain::error::{RepositoryError, Result};
use pressline_domain::value::{OrderId, StoreId, Timestamp};

use super::record::{is_recorded, record};
use super::subscription_values::{of_subscription, unsigned};
use crate::cold_store::{Access, ColdStore, Db};
use crate::corrupt::StoredRow;
use crate::dialect::Texts;
use crate::failure::{Failure, restore_all};
use crate::json;

/// Maximum number of an endpoint's subscriptions in a query, to leave room for other endpoints.
const OF_ENDPOINT: i64 = 16;

/// Brings the times of a store's own endpoints :millis nearer. Same lock order as when a result is
/// stored: subscriptions first, the endpoint last.
const ADVANCE: [&str; 4] = [
    "UPDATE webhook_subscriptions
     SET next_due = next_due - :millis
     WHERE store_id = :store_id
       AND endpoint_id IN (SELECT endpoint_id FROM webhook_endpoints WHERE store_id = :store_id)",
    "UPDATE webhook_messages
     SET due = due - :millis
     WHERE store_id = :store_id
       AND endpoint_id IN (SELECT endpoint_id FROM webhook_endpoints WHERE store_id = :store_id)",
    "UPDATE webhook_deliveries
     SET next_attempt_at = next_attempt_at - :millis
     WHERE store_id = :store_id
       AND endpoint_id IN (SELECT endpoint_id FROM webhook_endpoints WHERE store_id = :store_id)",
    "UPDATE webhook_endpoints
     SET paused_until = paused_until - :millis, failing_since = failing_since - :millis,
         version = version + 1
     WHERE store_id = :store_id",
];

/// Sequence number, order id, attempts, due time and whether the message waits.
type MessageRow = (i64, Option<String>, i64, i64, bool);

/// Adds `subscription`, which does not exist yet if the store was created after the endpoint.
/// Returns its cursor and lease number; nothing if it exists or the endpoint's scope is not all
/// stores.
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

pub(super) fn subscription_key((store, endpoint): &(String, String)) -> Result<SubscriptionKey> {
    let stored = StoredRow("webhook_subscriptions", &[store, endpoint]);
    Ok(SubscriptionKey {
        store: stored.read("store_id", store.parse())?,
        endpoint: stored.read("endpoint_id", endpoint.parse())?,
    })
}

fn message(
    subscription: SubscriptionKey,
    (sequence, order, attempts, due, waits): MessageRow,
) -> Result<OpenMessage> {
    let (store_id, endpoint_id) = (
        subscription.store.to_string(),
        subscription.endpoint.to_string(),
    );
    let place = sequence.to_string();
    let stored = StoredRow("webhook_messages", &[&store_id, &endpoint_id, &place]);
    Ok(OpenMessage {
        sequence: stored.read("sequence", u64::try_from(sequence))?,
        order: stored.read_option("order_uuid", order.as_deref(), str::parse)?,
        attempts: stored.read("attempts", u32::try_from(attempts))?,
        due: Timestamp::from_millis(due),
        waits,
    })
}

#[async_trait]
impl SubscriptionClock for ColdStore {
    #[tracing::instrument(name = "db.subscription.advance", level = "debug", skip_all)]
    async fn advance(&self, store: StoreId, seconds: u32) -> Result<()> {
        self.call(Access::Transaction, move |db| {
            if db.in_doubt {
                // Advancing twice would move the times too far.
                let unknown = "the result of the commit was lost";
                return Err(RepositoryError::Timeout(unknown.into()).into());
            }
            let values = [
                ("store_id", store.into()),
                ("millis", (i64::from(seconds) * 1000).into()),
            ];
            for text in ADVANCE {
                db.execute(text, &values)?;
            }
            Ok(())
        })
        .await
    }
}

#[async_trait]
impl SubscriptionRepository for ColdStore {
    #[tracing::instrument(name = "db.subscription.with_news", level = "debug", skip_all)]
    async fn with_pending_events(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<SubscriptionKey>> {
        self.call(Access::Read, move |db| {
            let rows = db.load::<(String, String)>(
                include_str!("sql/pending.sql"),
                &[
                    ("now", now.into()),
                    ("of_endpoint", OF_ENDPOINT.into()),
                    ("limit", limit.into()),
                ],
            )?;
            restore_all(&rows, subscription_key)
        })
        .await
    }

    #[tracing::instrument(name = "db.subscription.lease", level = "debug", skip_all)]
    async fn lease(
        &self,
        subscription: SubscriptionKey,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Subscription>> {
        self.call(Access::Transaction, move |db| {
            let mut leased = db.load::<(i64, i64)>(
                "UPDATE webhook_subscriptions
                 SET lease = lease + 1, leased_until = :until
                 WHERE store_id = :store_id
                   AND endpoint_id = :endpoint_id
                   AND subscribed
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
        })
        .await
    }

    #[tracing::instrument(name = "db.subscription.due", level = "debug", skip_all)]
    async fn due(
        &self,
        subscription: SubscriptionKey,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<OpenMessage>> {
        self.call(Access::Read, move |db| {
            let rows = db.load::<MessageRow>(
                "SELECT sequence, order_uuid, attempts, due, waits
                 FROM webhook_messages AS message
                 WHERE store_id = :store_id
                   AND endpoint_id = :endpoint_id
                   AND due <= :now
                   -- Looked up message by message, until there are enough: a join would read all
                   -- that are due.
                   AND (
                       SELECT MIN(earlier.sequence)
                       FROM webhook_messages AS earlier
                       WHERE earlier.store_id = :store_id
                         AND earlier.endpoint_id = :endpoint_id
                         AND earlier.order_uuid = message.order_uuid
                         AND earlier.sequence < message.sequence
                         AND earlier.due <= :now
                   ) IS NULL
                 ORDER BY due, sequence
                 LIMIT :limit",
                &of_subscription(subscription, [("now", now.into()), ("limit", limit.into())]),
            )?;
            restore_all(rows, |row| message(subscription, row))
        })
        .await
    }

    #[tracing::instrument(name = "db.subscription.oldest", level = "debug", skip_all)]
    async fn oldest(&self, subscription: SubscriptionKey) -> Result<Option<OpenMessage>> {
        let rows = self.load::<MessageRow>(
            "SELECT sequence, order_uuid, attempts, due, waits
             FROM webhook_messages
             WHERE store_id = :store_id
               AND endpoint_id = :endpoint_id
             ORDER BY sequence
             LIMIT 1",
            of_subscription(subscription, []),
        );
        let first = rows.await?.pop();
        first.map(|row| message(subscription, row)).transpose()
    }

    #[tracing::instrument(name = "db.subscription.blocked", level = "debug", skip_all)]
    async fn blocked(
        &self,
        subscription: SubscriptionKey,
        orders: &BTreeSet<OrderId>,
    ) -> Result<BTreeSet<OrderId>> {
        let orders = orders.clone();
        self.call(Access::Read, move |db| {
            let text = Texts {
                postgres: "SELECT DISTINCT order_uuid
                     FROM webhook_messages
                     WHERE store_id = :store_id
                       AND endpoint_id = :endpoint_id
                       AND order_uuid = ANY(ARRAY(SELECT json_array_elements_text(:orders::json)))",
                sqlite: "SELECT DISTINCT order_uuid
                     FROM webhook_messages
                     WHERE store_id = :store_id
                       AND endpoint_id = :endpoint_id
                       AND order_uuid IN (SELECT value FROM json_each(:orders))",
            };
            let values = of_subscription(subscription, [("orders", json::write(&orders)?.into())]);
            let blocked_ids: BTreeSet<String> =
                db.load::<String>(text, &values)?.into_iter().collect();
            let is_found = |order: &&OrderId| blocked_ids.contains(&order.to_string());
            Ok(orders.iter().filter(is_found).copied().collect())
        })
        .await
    }

    #[tracing::instrument(name = "db.subscription.record", level = "debug", skip_all)]
    async fn record(&self, outcome: &SubscriptionOutcome) -> Result<RecordResult> {
        let outcome = outcome.clone();
        let recorded = self.call(Access::Transaction, move |db| {
            if db.in_doubt && is_recorded(db, &outcome)? {
                return Ok(RecordResult::Done);
            }
            match record(db, &outcome)? {
                // The error rolls back the changes made so far.
                RecordResult::EndpointChanged => Err(RepositoryError::Stale.into()),
                recorded => Ok(recorded),
            }
        });
        match recorded.await {
            Err(RepositoryError::Stale) => Ok(RecordResult::EndpointChanged),
            recorded => recorded,
        }
    }

    #[tracing::instrument(name = "db.subscription.end_leases", level = "debug", skip_all)]
    async fn end_leases(&self, now: Timestamp) -> Result<()> {
        self.call(Access::Transaction, move |db| {
            let last = RESTART_PAUSES.len() - 1;
            for (restarts, pause) in RESTART_PAUSES.into_iter().enumerate() {
                let next = (restarts + 1).min(last);
                // Updated rows do not match again with the next number of restarts: their new lease
                // ends within the longest pause.
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
        })
        .await
    }
}
